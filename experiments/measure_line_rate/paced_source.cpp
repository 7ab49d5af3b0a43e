#include "experiments/measure_line_rate/paced_source.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <stdexcept>

namespace gsst::experiments {
namespace {

constexpr double bits_per_byte = 8;

std::size_t blocks_of(const Pace& pace, std::uint64_t block_bytes) {
  // Gigabits a second are bits a nanosecond.
  const double bits = pace.gigabits_per_second * static_cast<double>(pace.duration.count());
  return std::max<std::size_t>(
      1, static_cast<std::size_t>(bits / (bits_per_byte * static_cast<double>(block_bytes))));
}

}  // namespace

PacedSource::PacedSource(const ExpectedBlocks& blocks, const Pace& pace, PacketReceiver& receiver,
                         std::size_t first_content)
    : blocks_(blocks),
      pace_(pace),
      receiver_(receiver),
      first_content_(first_content),
      delivered_(blocks_of(pace, blocks.block_bytes())) {
  if (pace.packet_bytes == 0 || blocks.block_bytes() % pace.packet_bytes != 0) {
    throw std::invalid_argument("the bytes of a packet do not divide those of a block");
  }
}

void PacedSource::run() {
  start_ = Clock::now();
  const Clock::time_point end = start_ + pace_.duration;
  Clock::time_point now = start_;
  while (offered_ < delivered_.size() && (offered_ == 0 || now < end)) {
    if (!deliver((first_content_ + offered_) % blocks_.count())) ++lost_;
    ++offered_;
    now = Clock::now();
  }
  seconds_ = std::chrono::duration<double>(now - start_).count();
  receiver_.finish();
}

bool PacedSource::deliver(std::size_t content) {
  const std::span<const std::uint8_t> block = blocks_.block(content);
  const std::uint64_t packets = blocks_.block_bytes() / pace_.packet_bytes;
  const std::uint64_t first = offered_ * packets;
  bool has_slot = true;
  for (std::uint64_t packet = 0; packet < packets; ++packet) {
    const Clock::time_point arrival = await_packet(first + packet);
    if (!has_slot) continue;
    // Before the receiver can hand the block out.
    if (packet + 1 == packets) delivered_[offered_ - lost_] = {.content = content, .complete = arrival};
    const std::size_t taken = receiver_.push(block.subspan(packet * pace_.packet_bytes, pace_.packet_bytes));
    if (taken == pace_.packet_bytes) continue;
    if (packet != 0) throw std::logic_error("a block that has a slot was not taken");
    has_slot = false;
  }
  return has_slot;
}

PacedSource::Clock::time_point PacedSource::await_packet(std::uint64_t number) const {
  // When its last bit is there.
  const double bits = bits_per_byte * static_cast<double>((number + 1) * pace_.packet_bytes);
  const Clock::time_point due =
      start_ + std::chrono::nanoseconds(std::llround(bits / pace_.gigabits_per_second));
  Clock::time_point now = Clock::now();
  // A sleep would end later than packets are apart: 1.6 microseconds at 40 Gb/s and 8192 bytes.
  while (now < due) now = Clock::now();
  return now;
}

}  // namespace gsst::experiments
