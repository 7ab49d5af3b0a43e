#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "experiments/measure_line_rate/expected_blocks.hpp"
#include "experiments/measure_line_rate/packet_receiver.hpp"

namespace gsst::experiments {

/// What a source delivers.
struct Pace {
  /// 10^9 bits a second, without what a network adds to packets.
  double gigabits_per_second;
  /// Divides the bytes of a block.
  std::uint64_t packet_bytes;
  std::chrono::nanoseconds duration;
};

/// Delivers blocks again and again to a receiver, packet by packet, each no earlier than its time, as a
/// network card does: it never waits for the receiver. A block that finds no free slot when its first packet
/// comes is lost with all of its packets. Where the processor was away or copies more slowly than the pace
/// asks for, packets come late, one right after the other.
class PacedSource {
public:
  using Clock = std::chrono::steady_clock;

  struct Delivered {
    /// Which of the expected blocks.
    std::size_t content;
    /// When its last packet was there.
    Clock::time_point complete;
  };

  /// The first block that it delivers is `first_content`. Room for all blocks that can be delivered is
  /// allocated here. All must outlive the source.
  PacedSource(const ExpectedBlocks& blocks, const Pace& pace, PacketReceiver& receiver,
              std::size_t first_content = 0);

  /// Delivers as many whole blocks as the pace has in its duration, one at least, or fewer where the duration
  /// ends before. Then finishes the receiver.
  void run();

  /// Of the block with that index among those that the receiver took: once it has handed it out, also while
  /// run() goes on.
  const Delivered& delivered(std::uint64_t index) const { return delivered_[index]; }

  /// Most blocks that run() delivers.
  std::size_t planned_blocks() const { return delivered_.size(); }

  /// After run(): blocks whose packets came, those of them that were lost, and seconds from the first
  /// packet's time to the last one's arrival.
  std::uint64_t offered_blocks() const { return offered_; }
  std::uint64_t lost_blocks() const { return lost_; }
  double seconds() const { return seconds_; }

private:
  // Delivers the next block. Returns whether it found a slot.
  bool deliver(std::size_t content);
  // Returns when packet `number`, from 0, has come.
  Clock::time_point await_packet(std::uint64_t number) const;

  const ExpectedBlocks& blocks_;
  Pace pace_;
  PacketReceiver& receiver_;
  std::size_t first_content_;
  std::vector<Delivered> delivered_;
  Clock::time_point start_;
  std::uint64_t offered_ = 0;
  std::uint64_t lost_ = 0;
  double seconds_ = 0;
};

}  // namespace gsst::experiments
