// Compresses an Arrow array of strings to a column and gets one string of it back as a new array. A program
// that uses an Arrow library exports its array instead of making one by hand, and imports what comes back.
#include <gsst/column.h>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string_view>
#include <vector>

namespace {

void check(gsst_error error, const gsst_message& message) {
  if (error == GSST_OK) return;
  std::cerr << message.text << '\n';
  std::exit(1);
}

}  // namespace

int main() {
  const std::array<std::int32_t, 4> offsets = {0, 9, 9, 19};
  const std::array<std::uint8_t, 1> validity = {0b101};
  std::array<const void*, 3> buffers = {validity.data(), offsets.data(), "she sellssea shells"};
  ArrowSchema schema{};
  schema.format = "u";
  schema.release = [](ArrowSchema* released) { released->release = nullptr; };
  ArrowArray array{};
  array.length = 3;
  array.null_count = 1;
  array.n_buffers = 3;
  array.buffers = buffers.data();
  array.release = [](ArrowArray* released) { released->release = nullptr; };

  gsst_message message{};
  gsst_column_compress_plan* compress = nullptr;
  check(gsst_column_compress_plan_create(&schema, &array, nullptr, &compress, &message), message);
  std::vector<std::byte> column(gsst_column_compress_plan_output_bytes(compress));
  std::size_t column_bytes = 0;
  check(gsst_column_compress_execute(compress, column.data(), column.size(), &column_bytes, &message),
        message);
  gsst_column_compress_plan_destroy(compress);

  gsst_column_plan* plan = nullptr;
  check(gsst_column_plan_create(column.data(), column_bytes, nullptr, &plan, &message), message);
  gsst_column_info info{};
  gsst_column_plan_info(plan, &info);
  ArrowSchema one_schema{};
  ArrowArray one{};
  check(gsst_column_decompress(plan, 2, 1, &one_schema, &one, nullptr, &message), message);
  const auto* const ends = static_cast<const std::int32_t*>(one.buffers[1]);
  const std::string_view string(static_cast<const char*>(one.buffers[2]), static_cast<std::size_t>(ends[1]));
  std::cout << info.string_count << " strings, " << info.null_count << " null, " << info.compressed_bytes
            << " bytes; string 2 is '" << string << "'\n";
  one.release(&one);
  one_schema.release(&one_schema);
  gsst_column_plan_destroy(plan);
}
