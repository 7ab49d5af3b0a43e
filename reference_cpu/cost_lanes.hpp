#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

/// Costs of the eight positions next to one, in one register. A choice between them by comparisons would be
/// mispredicted at every other position. A vector type of GCC and Clang: no processor is asked for.
namespace gsst::reference {

/// Lane n belongs to the position n + 1 bytes away.
using CostLanes = std::int16_t __attribute__((vector_size(16)));

/// More than any other cost, in the lanes of what cannot be taken: with a cost added it is still a number.
inline constexpr std::int16_t never = 16000;

inline CostLanes all_lanes(std::int16_t value) {
  return CostLanes{} + value;
}

inline CostLanes lower(CostLanes left, CostLanes right) {
  return left < right ? left : right;
}

/// Lane 0, in each lane.
inline CostLanes nearest(CostLanes lanes) {
  return __builtin_shufflevector(lanes, lanes, 0, 0, 0, 0, 0, 0, 0, 0);
}

/// Lane 1, in each lane.
inline CostLanes second_nearest(CostLanes lanes) {
  return __builtin_shufflevector(lanes, lanes, 1, 1, 1, 1, 1, 1, 1, 1);
}

/// The least of all lanes.
inline std::int16_t least(CostLanes lanes) {
  lanes = lower(lanes, __builtin_shufflevector(lanes, lanes, 4, 5, 6, 7, 0, 1, 2, 3));
  lanes = lower(lanes, __builtin_shufflevector(lanes, lanes, 2, 3, 0, 1, 6, 7, 4, 5));
  return lower(lanes, __builtin_shufflevector(lanes, lanes, 1, 0, 3, 2, 5, 4, 7, 6))[0];
}

/// One position further: lane 0 leaves, and of the last lane nothing is known. (Shuffled with zeros: of two
/// lanes GCC 12 makes a dozen instructions.)
inline CostLanes advance(CostLanes lanes) {
  // More than `never` with any cost added, and a number also where a negative cost is subtracted.
  constexpr std::int16_t unknown = 28000;
  return __builtin_shufflevector(lanes, CostLanes{}, 1, 2, 3, 4, 5, 6, 7, 8) |
         CostLanes{0, 0, 0, 0, 0, 0, 0, unknown};
}

/// The lanes that `costs` holds.
inline CostLanes load_lanes(const std::int16_t* costs) {
  CostLanes lanes;
  std::memcpy(&lanes, costs, sizeof lanes);
  return lanes;
}

/// The least costs known of the eight positions next to one. Each position, once its own cost is known,
/// passes it on to those that a symbol of it reaches, to the nearest of them apart from the others: the next
/// step waits for that alone.
class CostFront {
public:
  explicit CostFront(CostLanes costs) : costs_(costs), nearest_(nearest(costs)) {}

  /// One position further: its cost, in each lane. `cost` is that of the position before it, in each lane;
  /// `added` is what a symbol of each length adds to it, `added_by_byte` lane 0 of these in each lane.
  CostLanes step(CostLanes cost, CostLanes added, CostLanes added_by_byte) {
    const CostLanes next = lower(nearest_, cost + added_by_byte);
    const CostLanes costs = lower(costs_, cost + added);
    nearest_ = second_nearest(costs);
    costs_ = advance(costs);
    return next;
  }

  CostLanes costs() const { return costs_; }

private:
  CostLanes costs_;
  // Lane 0 of these.
  CostLanes nearest_;
};

/// Lanes for each set of lengths; bit n of a set stands for a length of n + 1 bytes.
struct LanesOfLengths {
  alignas(16) std::array<std::array<std::int16_t, 8>, 256> costs;

  CostLanes operator[](std::size_t lengths) const { return load_lanes(costs[lengths].data()); }
};

/// `taken` in the lanes of the lengths and `never` in the others, but `literal` in lane 0.
constexpr LanesOfLengths lanes_of_lengths(std::int16_t taken, std::int16_t literal = never) {
  LanesOfLengths table{};
  for (std::size_t lengths = 0; lengths < table.costs.size(); ++lengths) {
    for (unsigned lane = 0; lane < 8; ++lane) {
      const std::int16_t other = lane == 0 ? literal : never;
      table.costs[lengths][lane] = (lengths >> lane & 1) != 0 ? taken : other;
    }
  }
  return table;
}

}  // namespace gsst::reference
