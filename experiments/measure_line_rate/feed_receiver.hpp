#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "experiments/measure_line_rate/packet_receiver.hpp"
#include "stages/zero_length/feed/feed.hpp"

namespace gsst::experiments {

/// Pushes the packets of a source into a feed, which must outlive this.
class FeedReceiver final : public PacketReceiver {
public:
  explicit FeedReceiver(zero_length::Feed& feed) : feed_(feed) {}

  std::size_t push(std::span<const std::uint8_t> packet) override { return feed_.push(packet); }
  void finish() override { feed_.finish(); }

private:
  zero_length::Feed& feed_;
};

}  // namespace gsst::experiments
