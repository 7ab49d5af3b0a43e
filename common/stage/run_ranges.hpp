#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/stage/ranges.hpp"
#include "common/stage/registry.hpp"
#include "common/stage/run_decode.hpp"

namespace gsst::stage {

/// What a decoding of ranges leaves behind, copied to the host.
struct RangesResult {
  /// Guard bytes, the output, guard bytes.
  std::vector<std::uint8_t> guarded_output;
  std::size_t guard_bytes;
  /// A word for each range.
  std::vector<std::uint32_t> statuses;
  /// Whether the bytes before and after the statuses and the scratch memory, and all that the stage only
  /// reads, are what they were.
  bool is_rest_intact;

  std::span<const std::uint8_t> output() const {
    return std::span(guarded_output).subspan(guard_bytes, guarded_output.size() - 2 * guard_bytes);
  }
};

/// As run_decode(), for `ranges` of `frame`, whose output has `output_bytes` bytes.
RangesResult run_ranges(const RegisteredStage& stage, Executor executor, std::span<const std::uint8_t> frame,
                        std::span<const ByteRange> ranges, std::uint64_t output_bytes,
                        const DecodeBuffers& buffers = {});

}  // namespace gsst::stage
