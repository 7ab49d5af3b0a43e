#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "common/simt/dimensions.hpp"

/// What the accesses of a warp's lanes cost on a GPU, by a model that knows the accesses alone.
///
/// The executor runs the lanes of a warp one after the other, a GPU runs them together. The model puts them
/// together again: of the lanes' next accesses those with the lowest code address are one warp instruction,
/// as if lanes that are ahead waited where the code goes on for all, and lanes in a loop went first. Lanes
/// that come together at a barrier, a shuffle or a vote do so in the model. A GPU's compiler may leave lanes
/// apart for longer, and it may join, split, move or leave out accesses: then a GPU counts otherwise.
///
/// - Global memory: a request for each warp instruction, and a sector for each 32 bytes that its lanes touch.
/// - Shared memory: a pass over the 32 banks of 4 bytes serves one word of each bank, to any number of lanes.
///   Accesses of 8 bytes are served for 16 lanes at a time, accesses of 16 bytes for 8. An atomic access
///   serves one lane of each bank in a pass.
/// - An access of more than 16 bytes, or of an address that is not a multiple of its size, is several, each
/// as
///   wide as its address allows.
namespace gsst::simt {

inline constexpr std::size_t sector_bytes = 32;
inline constexpr std::size_t bank_count = 32;
inline constexpr std::size_t bank_bytes = 4;
/// Most bytes that a lane accesses with one instruction.
inline constexpr std::size_t widest_access_bytes = 16;

enum class AccessClass : std::uint8_t {
  global_load,
  global_store,
  global_atomic,
  /// The two sides of asynchronous copies.
  global_copy,
  shared_load,
  shared_store,
  shared_atomic,
  shared_copy,
};
inline constexpr std::size_t access_class_count = 8;

constexpr bool is_shared(AccessClass access_class) {
  return access_class >= AccessClass::shared_load;
}

/// Sums over warp instructions.
struct AccessCounts {
  std::uint64_t requests = 0;
  /// Lanes that take part.
  std::uint64_t lanes = 0;
  /// Bytes that the lanes access, each lane's counted.
  std::uint64_t bytes = 0;
  /// Of global memory.
  std::uint64_t sectors = 0;
  /// Of shared memory over its banks, and as many as there would be if no lanes met in a bank.
  std::uint64_t passes = 0;
  std::uint64_t passes_without_conflicts = 0;

  AccessCounts& operator+=(const AccessCounts& other);
  bool operator==(const AccessCounts&) const = default;
};

/// Where the lanes of one warp instruction access, with the same number of bytes each: a power of two up to
/// widest_access_bytes, of which each address is a multiple. Returns one request's counts.
AccessCounts count_request(AccessClass access_class, std::span<const std::uintptr_t> addresses,
                           std::size_t bytes);

/// An instruction of a kernel: where the code goes on after it, and what it does.
using AccessingCode = std::pair<const void*, AccessClass>;
using CountsByCode = std::map<AccessingCode, AccessCounts>;

/// The accesses of a warp's lanes, each lane's in its order, until they are counted.
class WarpAccesses {
public:
  /// The lane accesses `bytes` bytes at `address`, by the instruction before `code`.
  void add(unsigned lane, AccessClass access_class, std::uintptr_t address, std::size_t bytes,
           const void* code);
  /// The lane's last access, a load at `address`, was the first half of an atomic access of this class, and
  /// returns true; or it was not, and nothing changes.
  bool make_atomic(unsigned lane, std::uintptr_t address, AccessClass access_class);
  /// The lanes have come together.
  void converge(std::uint32_t lanes);
  /// Adds what all accesses cost to `counts`, and forgets them.
  void count(CountsByCode& counts);
  /// How many wait to be counted.
  std::size_t size() const { return size_; }

private:
  struct Access {
    // Null where lanes come together.
    const void* code;
    // Or the lanes that come together.
    std::uintptr_t address;
    std::uint8_t bytes;
    AccessClass access_class;
  };

  // The number of each lane's next access.
  using Positions = std::array<std::size_t, warp_lanes>;

  // Lanes that have all come to where they come together; 0 if there are none.
  std::uint32_t lanes_that_come_together(const Positions& next) const;
  // Counts the access that is the lowest in the code, and returns the lanes that it is of; 0 if none is left.
  std::uint32_t count_lowest(const Positions& next, CountsByCode& counts) const;

  std::array<std::vector<Access>, warp_lanes> lanes_;
  std::size_t size_ = 0;
};

}  // namespace gsst::simt
