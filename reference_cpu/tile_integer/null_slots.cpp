#include "reference_cpu/tile_integer/null_slots.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <optional>
#include <type_traits>

namespace gsst::reference::tile_integer {
namespace {

using namespace format::tile_integer;  // NOLINT(google-build-using-namespace): the format that is coded here

// The values that are coded together, which nothing outside of them widens.
template <typename Value>
struct Slots {
  std::span<Value> values;
  // Of each value, whether it is none of the nulls.
  std::span<const bool> valid;
};

template <typename Value>
void fill_with_smallest(const Slots<Value>& slots) {
  std::optional<Value> smallest;
  for (std::size_t i = 0; i < slots.values.size(); ++i) {
    if (slots.valid[i]) smallest = std::min(smallest.value_or(slots.values[i]), slots.values[i]);
  }
  for (std::size_t i = 0; i < slots.values.size(); ++i) {
    if (!slots.valid[i]) slots.values[i] = smallest.value_or(0);
  }
}

template <typename Value>
void fill_with_value_before(const Slots<Value>& slots) {
  const auto first = std::ranges::find(slots.valid, true) - slots.valid.begin();
  const bool has_value = first < std::ssize(slots.valid);
  Value before = has_value ? slots.values[static_cast<std::size_t>(first)] : Value{0};
  for (std::size_t i = 0; i < slots.values.size(); ++i) {
    if (slots.valid[i]) before = slots.values[i];
    slots.values[i] = before;
  }
}

// Values of a chain, whose sums and differences wrap.
template <typename Value>
class ChainSlots {
public:
  explicit ChainSlots(const Slots<Value>& slots) : values_(slots.values), valid_(slots.valid) {}

  void fill() const {
    const auto found = std::ranges::find(valid_, true) - valid_.begin();
    if (found == std::ssize(valid_)) {
      std::ranges::fill(values_, Value{0});
      return;
    }
    const auto first = static_cast<std::size_t>(found);
    std::size_t last = first;
    for (std::size_t i = first + 1; i < values_.size(); ++i) {
      if (!valid_[i]) continue;
      fill_between(last, i);
      last = i;
    }
    const Unsigned after = smallest_difference(std::max(packed_block_of(last + 1), first + 1), last + 1);
    const Unsigned before =
        smallest_difference(first + 1, std::min(packed_block_of(first) + packed_block_values, last + 1));
    for (std::size_t i = last + 1; i < values_.size(); ++i) put(i, at(i - 1) + after);
    for (std::size_t i = first; i > 0; --i) put(i - 1, at(i) - before);
  }

private:
  using Unsigned = std::make_unsigned_t<Value>;
  using Signed = std::make_signed_t<Value>;

  // The first value of the packed block that a value is in.
  static std::size_t packed_block_of(std::size_t value) {
    return value / packed_block_values * packed_block_values;
  }

  Unsigned at(std::size_t value) const { return static_cast<Unsigned>(values_[value]); }
  // Narrow types are computed with as ints.
  template <typename Number>
  void put(std::size_t value, Number number) const {
    values_[value] = static_cast<Value>(number);
  }

  // Steps that differ by one at most, from value `begin` to value `end`.
  void fill_between(std::size_t begin, std::size_t end) const {
    const auto steps = static_cast<std::int64_t>(end - begin);
    const std::int64_t gap = static_cast<Signed>(static_cast<Unsigned>(at(end) - at(begin)));
    std::int64_t step = gap / steps;
    std::int64_t left = gap % steps;
    if (left < 0) {
      left += steps;
      --step;
    }
    for (std::int64_t i = 1; i < steps; ++i) {
      const std::int64_t more = left * i / steps;
      put(begin + static_cast<std::size_t>(i),
          at(begin) + static_cast<std::uint64_t>(step) * static_cast<std::uint64_t>(i) +
              static_cast<std::uint64_t>(more));
    }
  }

  // Of the differences of values from `begin` up to `end` from those before them; 0 if there are none.
  Unsigned smallest_difference(std::size_t begin, std::size_t end) const {
    std::optional<Signed> smallest;
    for (std::size_t i = begin; i < end; ++i) {
      const auto difference = static_cast<Signed>(static_cast<Unsigned>(at(i) - at(i - 1)));
      smallest = std::min(smallest.value_or(difference), difference);
    }
    return static_cast<Unsigned>(smallest.value_or(0));
  }

  std::span<Value> values_;
  std::span<const bool> valid_;
};

template <typename Value>
void fill_slots(std::span<std::uint8_t> block, format::BlockFormat format, const Validity& validity) {
  const std::size_t count = block.size() / sizeof(Value);
  const std::size_t most = format == for_format ? packed_block_values : chain_values;
  static_assert(chain_values == run_block_values);
  std::array<Value, chain_values> values;
  std::array<bool, chain_values> valid;
  for (std::size_t first = 0; first < count; first += most) {
    const std::size_t together = std::min(most, count - first);
    for (std::size_t i = 0; i < together; ++i) valid[i] = validity.is_valid(first + i);
    const Slots<Value> slots = {.values = std::span(values).first(together),
                                .valid = std::span<const bool>(valid).first(together)};
    if (std::ranges::find(slots.valid, false) == slots.valid.end()) continue;
    std::uint8_t* const bytes = block.data() + first * sizeof(Value);
    std::memcpy(values.data(), bytes, together * sizeof(Value));
    if (format == for_format) {
      fill_with_smallest(slots);
    } else if (format == dfor_format) {
      ChainSlots<Value>(slots).fill();
    } else {
      fill_with_value_before(slots);
    }
    std::memcpy(bytes, values.data(), together * sizeof(Value));
  }
}

}  // namespace

void fill_null_slots(std::span<std::uint8_t> block, Type type, format::BlockFormat format,
                     const Validity& validity) {
  switch (type) {
    case Type::i8:
      return fill_slots<std::int8_t>(block, format, validity);
    case Type::i16:
      return fill_slots<std::int16_t>(block, format, validity);
    case Type::i32:
      return fill_slots<std::int32_t>(block, format, validity);
    case Type::u32:
      return fill_slots<std::uint32_t>(block, format, validity);
    case Type::i64:
      return fill_slots<std::int64_t>(block, format, validity);
    case Type::u64:
      return fill_slots<std::uint64_t>(block, format, validity);
  }
}

}  // namespace gsst::reference::tile_integer
