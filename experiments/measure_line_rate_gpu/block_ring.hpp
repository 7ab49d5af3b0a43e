#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "common/pipeline/buffer.hpp"
#include "common/stage/stage.hpp"
#include "experiments/measure_line_rate/packet_receiver.hpp"

namespace gsst::experiments {

/// A ring of whole blocks in host memory that copies to the executor run from, page-locked for a GPU. Sources
/// fill it, each in a thread of its own; one thread takes out what is full, and one releases it. The blocks
/// have one order, that in which they got their slots, and come out in it: a block waits for those before it,
/// also of other sources.
class BlockRing {
public:
  /// Where a block comes from.
  struct Origin {
    std::uint32_t source;
    /// Which of the blocks that the ring took from this source, from 0.
    std::uint64_t number;
  };

  /// Consecutive blocks that are full, whose bytes follow each other in memory.
  struct FullBlocks {
    /// The ring's index of the first, from 0.
    std::uint64_t first = 0;
    /// None after the last one.
    std::uint64_t count = 0;
    std::span<const std::uint8_t> bytes = {};
  };

  /// All numbers are at least 1. Throws std::bad_alloc, cuda::CudaError.
  BlockRing(stage::Executor executor, std::uint64_t block_bytes, std::uint64_t slots, std::uint32_t sources);

  /// Where source `source`, from 0, delivers. Its packets divide blocks. Outlived by the ring.
  PacketReceiver& receiver(std::uint32_t source) { return *ports_[source]; }

  /// Waits for a full block that was not taken, or the end of all sources. Takes up to `most` blocks, at
  /// least 1: those that are full now, up to the end of the ring's memory. They stay as they are until they
  /// are released.
  FullBlocks wait_for_full(std::uint64_t most);

  /// Of a block that was taken and not released.
  Origin origin(std::uint64_t block) const { return slots_[block % slots_.size()].origin; }

  /// Frees the slots of the next `count` blocks that were taken.
  void release(std::uint64_t count);

private:
  struct Slot {
    Origin origin;
    // Under the mutex.
    bool is_full = false;
  };

  // Fills one block after the other.
  class Port final : public PacketReceiver {
  public:
    Port(BlockRing& ring, std::uint32_t source) : ring_(ring), source_(source) {}
    std::size_t push(std::span<const std::uint8_t> packet) override;
    void finish() override { ring_.end_source(); }

  private:
    BlockRing& ring_;
    std::uint32_t source_;
    std::uint64_t taken_blocks_ = 0;
    // Of the block that is being filled; 0 where none is.
    std::uint64_t filled_bytes_ = 0;
    std::uint64_t block_ = 0;
  };

  // Gives a slot to the next block. Returns whether there was one, and the block's index in `block`.
  bool claim(Origin origin, std::uint64_t& block);
  void complete(std::uint64_t block);
  void end_source();
  std::uint8_t* memory_of(std::uint64_t block) const {
    return memory_.data() + block % slots_.size() * block_bytes_;
  }

  std::uint64_t block_bytes_;
  pipeline::Buffer memory_;
  std::vector<Slot> slots_;
  std::vector<std::unique_ptr<Port>> ports_;

  std::mutex mutex_;
  std::condition_variable full_changed_;
  // Indexes of blocks: each is the first of which that has not happened.
  std::uint64_t claimed_ = 0;
  std::uint64_t full_ = 0;
  std::uint64_t taken_ = 0;
  std::uint64_t released_ = 0;
  std::uint32_t sources_left_;
};

}  // namespace gsst::experiments
