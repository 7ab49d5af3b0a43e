#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace gsst::experiments {

/// Takes the packets of one source, which does not wait for it.
class PacketReceiver {
public:
  PacketReceiver() = default;
  PacketReceiver(const PacketReceiver&) = delete;
  PacketReceiver& operator=(const PacketReceiver&) = delete;
  virtual ~PacketReceiver() = default;

  /// Takes the next packet, in host memory that may go when the call returns: all of it, or none where it is
  /// the first of a block that finds no free slot. Waits for nothing. Returns the bytes that it took.
  virtual std::size_t push(std::span<const std::uint8_t> packet) = 0;

  /// No packets follow.
  virtual void finish() = 0;
};

}  // namespace gsst::experiments
