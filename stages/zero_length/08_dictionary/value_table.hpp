#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace gsst::zero_length::dictionary {

/// Gives each value a number, in the order in which values are first met. A hash table with linear probing
/// that is at most half full; it starts small and doubles, so that a block of few values stays in the cache.
class ValueTable {
public:
  /// A value in the upper half and its number in the lower one.
  using Numbered = std::uint64_t;

  /// Entries that the memory for at most `most_values` values needs in `slots`, a power of two.
  static constexpr std::size_t most_slots(std::uint32_t most_values) {
    return 2 * std::bit_ceil(std::size_t{most_values});
  }

  /// Host memory: `numbered` has `most_values` entries, `slots` most_slots() of them; neither need be
  /// initialized.
  ValueTable(Numbered* numbered, std::uint64_t* slots, std::uint32_t most_values)
      : numbered_(numbered), slots_(slots), most_values_(most_values) {
    constexpr std::size_t first_slots = 4096;
    resize(std::min(first_slots, most_slots(most_values)));
  }

  std::uint32_t count() const { return count_; }

  /// The number of `value`; `most_values` where the table has as many other values already.
  std::uint32_t number_of(std::uint32_t value) {
    std::size_t place = place_of(value);
    while (true) {
      const std::uint64_t slot = slots_[place];
      if (slot == free_slot) return add(value, place);
      if (slot >> 32 == value) return static_cast<std::uint32_t>(slot) - 1;
      place = (place + 1) & (slot_count_ - 1);
    }
  }

private:
  // Numbers are stored plus one: no value is stored as this.
  static constexpr std::uint64_t free_slot = 0;

  static std::uint64_t stored(std::uint32_t value, std::uint32_t number) {
    return std::uint64_t{value} << 32 | (number + 1);
  }

  // The upper bits of a product with 2^32 over the golden ratio, which the whole value decides.
  std::size_t place_of(std::uint32_t value) const { return value * std::uint32_t{0x9e3779b1} >> shift_; }

  std::uint32_t add(std::uint32_t value, std::size_t place) {
    if (count_ == most_values_) return most_values_;
    numbered_[count_] = std::uint64_t{value} << 32 | count_;
    slots_[place] = stored(value, count_);
    ++count_;
    // Full tables have room for the most values.
    if (2 * std::size_t{count_} > slot_count_) resize(2 * slot_count_);
    return count_ - 1;
  }

  // Takes the values that there are from their list.
  void resize(std::size_t slots) {
    slot_count_ = slots;
    shift_ = 32 - static_cast<unsigned>(std::countr_zero(slots));
    std::fill_n(slots_, slots, free_slot);
    for (std::uint32_t i = 0; i < count_; ++i) {
      const auto value = static_cast<std::uint32_t>(numbered_[i] >> 32);
      std::size_t place = place_of(value);
      while (slots_[place] != free_slot) place = (place + 1) & (slot_count_ - 1);
      slots_[place] = stored(value, i);
    }
  }

  Numbered* numbered_;
  std::uint64_t* slots_;
  std::uint32_t most_values_;
  std::size_t slot_count_ = 0;
  unsigned shift_ = 0;
  std::uint32_t count_ = 0;
};

}  // namespace gsst::zero_length::dictionary
