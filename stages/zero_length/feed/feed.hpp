#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <thread>
#include <vector>

#include "stages/zero_length/encode/encode_plans.hpp"

/// Zero-length coding of bytes that arrive for ever: pushed in pieces of any size, taken out as whole blocks
/// of the bare form (FORMAT.md, section 11.2).
namespace gsst::zero_length {

/// How a feed works. The ranges are those of gsst_zero_length_feed_options.
struct FeedOptions {
  /// Uncompressed bytes of each block but the last.
  std::uint64_t block_bytes = std::uint64_t{1} << 20;
  /// Blocks that the feed holds: those that are filled, encoded, and not yet released.
  std::uint32_t slots = 4;
  /// Threads that encode; 0: push() does.
  std::uint32_t threads = 0;
  /// Bytes of a vector register, as stage 03_simd's parameter; 0: the most that the processor has.
  std::uint32_t vector_bytes = 0;
};

/// A block as it is stored, header included.
struct FeedBlock {
  /// From 0. Of the guard block: how many blocks there were.
  std::uint64_t index;
  /// 0 for the guard block alone.
  std::uint64_t uncompressed_bytes;
  /// Host memory of the feed, which stays as it is until the block is released.
  std::span<const std::uint8_t> bytes;
};

/// What a feed holds at one moment.
struct FeedState {
  /// That push() took.
  std::uint64_t pushed_bytes;
  /// Blocks that are full, whatever has become of them.
  std::uint64_t filled_blocks;
  /// Of these, those that next_block() has handed out, and those that were released.
  std::uint64_t handed_out_blocks;
  std::uint64_t released_blocks;
  bool is_finished;
};

/// A queue of up to `slots` blocks. One thread may push and finish, and another may take and release, at the
/// same time; no two may do the same. After construction nothing is allocated, but for the text of an error.
/// All memory is the host's. Blocks come out in the order in which they were pushed, whatever thread encodes
/// them, and have the bytes that the oracle writes.
class Feed {
public:
  /// Allocates memory_bytes() and starts the threads. Throws std::invalid_argument for an option out of
  /// range, std::bad_alloc, and std::system_error if a thread cannot be started.
  explicit Feed(const FeedOptions& options);
  Feed(const Feed&) = delete;
  Feed& operator=(const Feed&) = delete;
  /// Ends the threads. Blocks that nobody took are lost.
  ~Feed() = default;

  /// Takes bytes from the front of `bytes`, which may go when the call returns, as long as there is room, and
  /// says how many: fewer than given only where all slots hold blocks that are not released yet. Waits for
  /// nothing. Throws std::invalid_argument after finish().
  std::size_t push(std::span<const std::uint8_t> bytes);

  /// Waits until push() would take a byte. Only where another thread releases.
  void wait_for_room();

  /// No bytes follow: the last block, if it has any, is as long as it is, and the guard block comes after it.
  /// Needs no free slot. Throws std::invalid_argument if it was called before.
  void finish();

  /// The next block, if it is encoded. Several may be out at the same time. After the guard block there are
  /// none. Waits for nothing.
  std::optional<FeedBlock> next_block();

  /// Waits until next_block() hands one out, or never will again. Only where another thread pushes, or has
  /// finished.
  void wait_for_block();

  /// Frees the slot of the block that has been out for longest. Throws std::invalid_argument if none is out.
  void release();

  FeedState state() const;
  /// As chosen: vector_bytes is not 0.
  const FeedOptions& options() const { return options_; }

  /// Bytes of memory that a feed with these options, which are in their ranges, allocates for blocks.
  static std::uint64_t memory_bytes(const FeedOptions& options);

private:
  using Memory = std::unique_ptr<std::uint8_t[]>;

  struct Slot {
    // What arrives: from its first byte until it is encoded. Nothing where push() encodes it from where it
    // is.
    Memory input;
    // From when it begins to be encoded until it is released.
    Memory stored;
    std::size_t stored_bytes = 0;
    std::size_t input_bytes = 0;
    // Under the mutex; what is above is its thread's, or unchanged while this is true.
    bool is_encoded = false;
  };

  Slot& slot_of(std::uint64_t block) { return slots_[block % slots_.size()]; }
  bool has_room();
  // Copies bytes to the block that is being filled, and says how many.
  std::size_t fill(std::span<const std::uint8_t> bytes);
  // The block that is being filled is all there: `input` where no other thread encodes.
  void submit(std::span<const std::uint8_t> input);
  // Of the block that this thread alone has. Called and left with the lock, which is free meanwhile.
  void encode(std::uint64_t block, std::span<const std::uint8_t> input, std::unique_lock<std::mutex>& lock);
  void work(const std::stop_token& stop);
  // With the mutex.
  bool has_block();
  bool is_drained() const { return is_finished_ && handed_out_ > submitted_; }

  FeedOptions options_;
  EncodeElements encode_elements_;
  std::vector<Slot> slots_;
  // Of the block with index submitted_; the pushing thread's.
  std::size_t filled_bytes_ = 0;

  mutable std::mutex mutex_;
  std::condition_variable_any work_changed_;
  std::condition_variable room_changed_;
  std::condition_variable block_changed_;
  std::uint64_t pushed_bytes_ = 0;
  // What no block has, under the mutex: as many of each as blocks can have at the same time. What was given
  // back last is taken first: it may still be in a cache, and a feed that keeps up goes through few of many
  // slots.
  std::vector<Memory> free_inputs_;
  std::vector<Memory> free_stored_;
  // Indexes of blocks: each is the first of which that has not happened. The guard block counts as one that
  // is handed out and released.
  std::uint64_t submitted_ = 0;
  std::uint64_t started_ = 0;
  std::uint64_t handed_out_ = 0;
  std::uint64_t released_ = 0;
  bool is_finished_ = false;
  // The last member: the threads end before what they use.
  std::vector<std::jthread> workers_;
};

}  // namespace gsst::zero_length
