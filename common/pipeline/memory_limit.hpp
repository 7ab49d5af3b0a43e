#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>

#include "common/format/frame.hpp"
#include "common/pipeline/batch.hpp"

namespace gsst::pipeline {

/// Batches that are on their way at the same time: one arrives, one is decoded, one goes back.
inline constexpr unsigned slot_count = 3;

/// The memory that was allowed holds no block. The message says how much is needed.
class MemoryLimitError : public std::runtime_error {
public:
  MemoryLimitError(std::uint64_t allowed_bytes, std::uint64_t needed_bytes);
};

/// Bytes that batches within `limits` take in all slots together on their way from the host and back: as much
/// of device memory as of host memory.
std::uint64_t memory_bytes(const BatchLimits& limits);

/// The largest batches of a frame with `header` that take at most `allowed_bytes` by memory_bytes(), and no
/// more than a frame of `frame_bytes` bytes can fill, where that is known. They hold blocks of any content
/// that an encoder does not make larger than it is. Throws MemoryLimitError if they would hold no block.
BatchLimits limits_within(std::uint64_t allowed_bytes, const format::FrameHeader& header,
                          std::optional<std::uint64_t> frame_bytes);

}  // namespace gsst::pipeline
