#include "library/arrow_matches.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace gsst::library {
namespace {

// What the array points to. Vectors of 64-bit words: buffers of Arrow are aligned to 8 bytes.
struct MatchBuffers {
  std::vector<std::uint8_t> validity;
  std::vector<std::uint64_t> values;
  std::array<const void*, 2> pointers;
};

void move_to_array(const char* format, ColumnMatches matches, std::vector<std::uint64_t> values,
                   std::size_t size, ArrowSchema& schema, ArrowArray& array) {
  auto buffers = std::make_unique<MatchBuffers>(
      MatchBuffers{.validity = std::move(matches.validity), .values = std::move(values), .pointers = {}});
  buffers->pointers = {matches.null_count == 0 ? nullptr : buffers->validity.data(), buffers->values.data()};
  schema = {.format = format,
            .name = "",
            .metadata = nullptr,
            .flags = ARROW_FLAG_NULLABLE,
            .n_children = 0,
            .children = nullptr,
            .dictionary = nullptr,
            .release = [](ArrowSchema* released) { released->release = nullptr; },
            .private_data = nullptr};
  array = {
      .length = static_cast<std::int64_t>(size),
      .null_count = static_cast<std::int64_t>(matches.null_count),
      .offset = 0,
      .n_buffers = 2,
      .n_children = 0,
      .buffers = buffers->pointers.data(),
      .children = nullptr,
      .dictionary = nullptr,
      .release =
          [](ArrowArray* released) {
            const std::unique_ptr<MatchBuffers> owned(static_cast<MatchBuffers*>(released->private_data));
            released->release = nullptr;
          },
      .private_data = nullptr};
  array.private_data = buffers.release();
}

// Room for `bits`, and for one where there are none: no buffer is null.
std::vector<std::uint64_t> words_for_bits(std::size_t bits) {
  return std::vector<std::uint64_t>(bits / 64 + 1);
}

}  // namespace

void move_to_booleans(ColumnMatches matches, ArrowSchema& schema, ArrowArray& array) {
  const std::size_t size = matches.of_strings.size();
  std::vector<std::uint64_t> values = words_for_bits(size);
  auto* const bytes = reinterpret_cast<std::uint8_t*>(values.data());
  for (std::size_t i = 0; i < size; ++i) {
    bytes[i / 8] |= static_cast<std::uint8_t>(matches.of_strings[i] << (i % 8));
  }
  move_to_array("b", std::move(matches), std::move(values), size, schema, array);
}

void move_to_counts(ColumnMatches matches, ArrowSchema& schema, ArrowArray& array) {
  const std::size_t size = matches.of_strings.size();
  std::vector<std::uint64_t> values = std::move(matches.of_strings);
  const char* format = "l";
  if (matches.offset_width == 4) {
    // A string has no more matches than bytes.
    format = "i";
    const std::vector<std::uint64_t> wide = std::move(values);
    values = words_for_bits(size * 32);
    auto* const narrow = reinterpret_cast<std::int32_t*>(values.data());
    for (std::size_t i = 0; i < size; ++i) narrow[i] = static_cast<std::int32_t>(wide[i]);
  }
  values.reserve(1);
  move_to_array(format, std::move(matches), std::move(values), size, schema, array);
}

}  // namespace gsst::library
