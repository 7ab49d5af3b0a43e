#pragma once

#include <cstdint>
#include <span>

#include "common/stage/frame_on_device.hpp"

namespace gsst::stage {

/// The checks that the host makes before a kernel runs: the frame's index, and the header of every block
/// (architecture: compressed input is hostile). A kernel checks nothing but the codes.
class DecodePlan {
public:
  /// Checks `frame`, the whole frame in host memory. Throws format::FormatError naming block and field.
  explicit DecodePlan(std::span<const std::uint8_t> frame);

  std::uint64_t uncompressed_bytes() const { return frame_.uncompressed_bytes; }
  std::uint32_t block_count() const { return frame_.block_count; }
  format::BlockFormat format() const { return frame_.format; }

  /// The frame with `bytes`, a copy of it in the executor's memory.
  FrameOnDevice frame_at(const std::uint8_t* bytes) const;

private:
  FrameOnDevice frame_;
};

/// Throws format::FormatError for the first block whose status is a problem. `status` is host memory.
void check_statuses(std::span<const std::uint32_t> status);

}  // namespace gsst::stage
