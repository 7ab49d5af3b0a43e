#include "python/integer_values.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "common/format/error.hpp"
#include "python/arrow_values.hpp"
#include "reference_cpu/tile_integer/null_slots.hpp"

namespace gsst::python {
namespace {

using format::tile_integer::ColumnValues;
using reference::tile_integer::Validity;

constexpr std::int64_t buffers_of_integers = 2;
constexpr std::uint32_t wide_decimal_bytes = 16;

ColumnValues values_of(const ArrowSchema& schema) {
  if (schema.release == nullptr) throw std::invalid_argument("schema: has been released");
  if (schema.format == nullptr) throw std::invalid_argument("schema: format is null");
  const auto values = format::tile_integer::column_values(schema.format);
  if (values && schema.dictionary == nullptr) return *values;
  throw std::invalid_argument("schema: format is '" + std::string(schema.format) +
                              "', which is none of integers");
}

void require_of_array(bool holds, const char* problem) {
  if (!holds) throw std::invalid_argument(std::string("array: ") + problem);
}

std::uint32_t stored_bytes_of(const ColumnValues& values) {
  return format::tile_integer::shape_of(values.stored).value_bytes;
}

std::int64_t low_half(const std::uint8_t* decimal) {
  std::int64_t half = 0;
  std::memcpy(&half, decimal, sizeof(half));
  return half;
}

// Unsigned values of `Narrow` as `Wide`, and back.
template <typename Narrow, typename Wide>
std::vector<std::uint8_t> widened(const std::uint8_t* data, std::uint64_t count) {
  std::vector<std::uint8_t> made(count * sizeof(Wide));
  for (std::uint64_t i = 0; i < count; ++i) {
    Narrow narrow = 0;
    std::memcpy(&narrow, data + i * sizeof(Narrow), sizeof(Narrow));
    const Wide wide = narrow;
    std::memcpy(made.data() + i * sizeof(Wide), &wide, sizeof(Wide));
  }
  return made;
}

template <typename Narrow, typename Wide, typename IsValid>
std::vector<std::uint8_t> narrowed(std::span<const std::uint8_t> stored, const IsValid& is_valid) {
  const std::uint64_t count = stored.size() / sizeof(Wide);
  std::vector<std::uint8_t> made(count * sizeof(Narrow));
  for (std::uint64_t i = 0; i < count; ++i) {
    Wide wide = 0;
    std::memcpy(&wide, stored.data() + i * sizeof(Wide), sizeof(Wide));
    const auto narrow = static_cast<Narrow>(wide);
    if (narrow != wide && is_valid(i)) {
      throw format::FormatError(std::nullopt, "value",
                                std::to_string(wide) + " is none of the column's type");
    }
    std::memcpy(made.data() + i * sizeof(Narrow), &narrow, sizeof(Narrow));
  }
  return made;
}

std::vector<std::uint8_t> wide_decimals(std::span<const std::uint8_t> stored) {
  const std::uint64_t count = stored.size() / sizeof(std::int64_t);
  std::vector<std::uint8_t> made(count * wide_decimal_bytes);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::array<std::int64_t, 2> halves = {
        low_half(stored.data() + i * sizeof(std::int64_t)),
        low_half(stored.data() + i * sizeof(std::int64_t)) < 0 ? -1 : 0};
    std::memcpy(made.data() + i * wide_decimal_bytes, halves.data(), wide_decimal_bytes);
  }
  return made;
}

// What an array points to, and what a schema does. Freed by their release functions.
struct IntegerBuffers {
  std::vector<std::uint8_t> validity;
  std::vector<std::uint8_t> data;
  std::array<const void*, buffers_of_integers> pointers;
};

}  // namespace

IntegerValues::IntegerValues(const ArrowSchema& schema, const ArrowArray& array)
    : values_(values_of(schema)) {
  arrow_format_ = schema.format;
  require_of_array(array.release != nullptr, "has been released");
  require_of_array(array.length >= 0 && array.offset >= 0, "length or offset is negative");
  require_of_array(array.length <= static_cast<std::int64_t>(format::tile_integer::max_column_values) &&
                       array.offset <= std::numeric_limits<std::int64_t>::max() / 32,
                   "length or offset is too large");
  require_of_array(array.n_buffers == buffers_of_integers && array.buffers != nullptr,
                   "has not the 2 buffers of integers");
  size_ = static_cast<std::uint64_t>(array.length);
  first_bit_ = static_cast<std::uint64_t>(array.offset);
  // Without nulls the buffer says nothing, and may be missing.
  validity_ = array.null_count == 0 ? nullptr : static_cast<const std::uint8_t*>(array.buffers[0]);
  require_of_array(validity_ != nullptr || array.null_count <= 0, "has nulls and no buffer that says which");
  const auto* const data = static_cast<const std::uint8_t*>(array.buffers[1]);
  require_of_array(data != nullptr || size_ == 0, "the buffer of values is null");
  if (data != nullptr) data_ = data + first_bit_ * values_.arrow_bytes;
  if (validity_ == nullptr) return;
  for (std::uint64_t i = 0; i < size_; ++i) null_count_ += is_valid(i) ? 0 : 1;
  if (null_count_ == 0) validity_ = nullptr;
}

bool IntegerValues::is_valid(std::uint64_t value) const {
  return validity_ == nullptr || Validity{.bits = validity_, .first = first_bit_}.is_valid(value);
}

std::vector<std::uint8_t> IntegerValues::validity() const {
  if (validity_ == nullptr) return {};
  std::vector<std::uint8_t> bits((size_ + 7) / 8, 0);
  for (std::uint64_t i = 0; i < size_; ++i) {
    if (is_valid(i)) bits[i / 8] |= static_cast<std::uint8_t>(1U << i % 8);
  }
  return bits;
}

std::span<const std::uint8_t> IntegerValues::stored(format::BlockFormat format, std::uint64_t block_bytes,
                                                    std::vector<std::uint8_t>& made) const {
  const std::uint32_t stored_bytes = stored_bytes_of(values_);
  const std::span given(data_, size_ * values_.arrow_bytes);
  if (values_.arrow_bytes == 1 && stored_bytes == 2) {
    made = widened<std::uint8_t, std::int16_t>(data_, size_);
  } else if (values_.arrow_bytes == 2 && stored_bytes == 4) {
    made = widened<std::uint16_t, std::int32_t>(data_, size_);
  } else if (values_.arrow_bytes == wide_decimal_bytes) {
    made.resize(size_ * stored_bytes);
    for (std::uint64_t i = 0; i < size_; ++i) {
      const std::uint8_t* const decimal = data_ + i * wide_decimal_bytes;
      const std::int64_t low = low_half(decimal);
      if (is_valid(i) && low_half(decimal + sizeof(low)) != (low < 0 ? -1 : 0)) {
        throw std::invalid_argument("array: decimal " + std::to_string(i) + " has more digits than its type");
      }
      std::memcpy(made.data() + i * sizeof(low), &low, sizeof(low));
    }
  } else if (validity_ == nullptr) {
    return given;
  } else {
    made.assign(given.begin(), given.end());
  }
  if (validity_ != nullptr) {
    for (std::uint64_t first = 0; first < made.size(); first += block_bytes) {
      const std::span block = std::span(made).subspan(first, std::min(block_bytes, made.size() - first));
      reference::tile_integer::fill_null_slots(
          block, values_.stored, format, {.bits = validity_, .first = first_bit_ + first / stored_bytes});
    }
  }
  return made;
}

void make_arrow_integers(const format::tile_integer::IntegerColumnView& column,
                         std::span<const std::uint8_t> validity, std::uint64_t first_bit,
                         std::vector<std::uint8_t> stored, ArrowSchema& schema, ArrowArray& array) {
  const ColumnValues& values = column.values;
  const std::uint32_t stored_bytes = stored_bytes_of(values);
  const std::uint64_t count = stored.size() / stored_bytes;
  const Validity given = {.bits = validity.data(), .first = first_bit};
  const auto is_valid = [&](std::uint64_t value) { return validity.empty() || given.is_valid(value); };
  auto buffers = std::make_unique<IntegerBuffers>();
  std::int64_t null_count = 0;
  if (!validity.empty()) {
    buffers->validity.resize((count + 7) / 8, 0);
    for (std::uint64_t i = 0; i < count; ++i) {
      if (given.is_valid(i)) {
        buffers->validity[i / 8] |= static_cast<std::uint8_t>(1U << i % 8);
      } else {
        ++null_count;
      }
    }
  }
  if (values.arrow_bytes == stored_bytes) {
    buffers->data = std::move(stored);
  } else if (values.arrow_bytes == 1) {
    buffers->data = narrowed<std::uint8_t, std::int16_t>(stored, is_valid);
  } else if (values.arrow_bytes == 2) {
    buffers->data = narrowed<std::uint16_t, std::int32_t>(stored, is_valid);
  } else {
    buffers->data = wide_decimals(stored);
  }
  buffers->pointers = {null_count == 0 ? nullptr : buffers->validity.data(), buffers->data.data()};
  schema = make_schema(column.arrow_format);
  array = {
      .length = static_cast<std::int64_t>(count),
      .null_count = null_count,
      .offset = 0,
      .n_buffers = buffers_of_integers,
      .n_children = 0,
      .buffers = buffers->pointers.data(),
      .children = nullptr,
      .dictionary = nullptr,
      .release =
          [](ArrowArray* released) {
            const std::unique_ptr<IntegerBuffers> owned(static_cast<IntegerBuffers*>(released->private_data));
            released->release = nullptr;
          },
      .private_data = nullptr};
  array.private_data = buffers.release();
}

}  // namespace gsst::python
