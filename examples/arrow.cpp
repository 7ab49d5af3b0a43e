// Compresses an Arrow array of strings to a column and gets one string of it back as a new array. A program
// that uses an Arrow library exports its array instead of making one by hand, and imports what comes back.
#include <array>
#include <cstddef>
#include <cstdint>
#include <gsst/column.hpp>
#include <iostream>
#include <string_view>

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

  const auto column = gsst::compress_column(schema, array);
  if (!column) {
    std::cerr << column.failure().message << '\n';
    return 1;
  }
  const auto plan = gsst::ColumnPlan::create(column.value());
  auto one = plan ? plan.value().decompress(2, 1) : plan.failure();
  if (!one) {
    std::cerr << one.failure().message << '\n';
    return 1;
  }
  const gsst::ColumnInfo info = plan.value().info();
  const void* const* const made = one.value().array().buffers;
  const auto* const ends = static_cast<const std::int32_t*>(made[1]);
  const std::string_view string(static_cast<const char*>(made[2]), static_cast<std::size_t>(ends[1]));
  std::cout << info.string_count << " strings, " << info.null_count << " null, " << info.compressed_bytes
            << " bytes; string 2 is '" << string << "'\n";
}
