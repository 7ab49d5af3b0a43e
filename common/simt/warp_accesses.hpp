#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "common/simt/dimensions.hpp"
#include "common/simt/observed_flow.hpp"

/// What the accesses of a warp's lanes cost on a GPU, by a model that knows the accesses alone.
///
/// The executor runs the lanes of a warp one after the other, a GPU runs them together. The model puts them
/// together again: lanes go on together until they go different ways, each way is gone by itself, and behind
/// it they are together again at the first piece of code that is on all ways (ObservedFlow). Lanes that come
/// together at a barrier, a shuffle or a vote do so in the model. A GPU's compiler may leave lanes apart for
/// longer, and it may join, split, move or leave out accesses: then a GPU counts otherwise.
///
/// - Global memory: a request for each warp instruction, and a sector for each 32 bytes that its lanes touch.
/// - Shared memory: a pass over the 32 banks of 4 bytes serves one word of each bank, to any number of lanes.
///   Accesses of 8 bytes are served for 16 lanes at a time, accesses of 16 bytes for 8. An atomic access
///   serves one lane of each bank in a pass.
/// - An access of more than 16 bytes, or of an address that is not a multiple of its size, is several, each
///   as wide as its address allows. A bulk copy is one access, however long.
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
  /// The two sides of asynchronous and bulk copies.
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

/// One warp instruction that accesses memory.
struct WarpRequest {
  /// Where the code goes on after it.
  const void* code = nullptr;
  AccessClass access_class = AccessClass::global_load;
  /// Of each lane.
  std::uint32_t bytes = 0;
  /// A bit for each lane that takes part.
  std::uint32_t lanes = 0;
  /// Of those lanes, by their numbers.
  std::array<std::uintptr_t, warp_lanes> addresses{};
};

/// Where the lanes of one warp instruction access, with the same number of bytes each: a power of two up to
/// widest_access_bytes, of which each address is a multiple, or any number above that, each lane's for
/// itself. Returns one request's counts.
AccessCounts count_request(AccessClass access_class, std::span<const std::uintptr_t> addresses,
                           std::size_t bytes);

/// The same of a request that was logged.
AccessCounts count_request(const WarpRequest& request);

/// An instruction of a kernel: where the code goes on after it, and what it does.
using AccessingCode = std::pair<const void*, AccessClass>;
using CountsByCode = std::map<AccessingCode, AccessCounts>;

/// The first requests of a warp, in their order: no more than `most`.
struct RequestLog {
  std::size_t most = 0;
  std::vector<WarpRequest> requests;
};

/// The accesses of a warp's lanes, each lane's in its order, until they are counted.
class WarpAccesses {
public:
  /// The lane accesses `bytes` bytes at `address`, by the instruction before `code`.
  void add(unsigned lane, AccessClass access_class, std::uintptr_t address, std::size_t bytes,
           const void* code);
  /// The same of a copy that is one access, however long.
  void add_copy(unsigned lane, AccessClass access_class, std::uintptr_t address, std::size_t bytes,
                const void* code);
  /// The lane comes to the piece of code at `code`, which it goes through to its end.
  void enter(unsigned lane, const void* code);
  /// The lane's last access, a load at `address`, was the first half of an atomic access of this class, and
  /// returns true; or it was not, and nothing changes.
  bool make_atomic(unsigned lane, std::uintptr_t address, AccessClass access_class);
  /// The lanes have come together.
  void converge(std::uint32_t lanes);
  /// Adds what all accesses cost to `counts`, and forgets them.
  void count(CountsByCode& counts);
  /// From here on count() also appends requests to the log, which must live as long; to none if it is null.
  void log_to(RequestLog* log) { log_ = log; }
  /// How many wait to be counted.
  std::size_t size() const { return size_; }

private:
  struct Event {
    // Null where lanes come together.
    const void* code;
    // Or the lanes that come together.
    std::uintptr_t address;
    // None where the lane comes to a piece of code.
    std::uint32_t bytes;
    AccessClass access_class;
  };
  using Lanes = std::uint32_t;
  // For each lane the number of one of its events.
  using Positions = std::array<std::size_t, warp_lanes>;
  // For each lane the nodes that it goes through, up to the next place where lanes come together.
  using Ways = std::array<std::vector<ObservedFlow::Node>, warp_lanes>;

  // Where each lane comes together with others, or ends.
  Positions ends_of_ways(const Positions& next) const;
  // Counts what the lanes do from `next` to `ends`.
  void count_ways(const Positions& next, const Positions& ends, CountsByCode& counts);
  bool go_the_same_way(const Positions& next, const Positions& ends) const;
  // Fills flow_ and ways_ with what the lanes do from `next` to `ends`.
  void follow_flow(const Positions& next, const Positions& ends);
  // Counts the events with these numbers, of code that the lanes come to together.
  void count_step(Lanes lanes, const Positions& at, CountsByCode& counts) const;
  // Appends the request of these lanes to the log.
  void log_request(Lanes lanes, const Positions& at) const;
  // Lanes that have come to where they come together with others, all of which have; 0 if all lanes have
  // ended.
  Lanes lanes_that_come_together(const Positions& next) const;

  std::array<std::vector<Event>, warp_lanes> lanes_;
  // Of each lane the number of its last access, counted from 1.
  Positions last_access_{};
  std::size_t size_ = 0;
  RequestLog* log_ = nullptr;
  // Kept from call to call for their memory.
  ObservedFlow flow_;
  Ways ways_;
};

}  // namespace gsst::simt
