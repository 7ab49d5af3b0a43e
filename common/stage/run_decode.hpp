#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/stage/registry.hpp"

namespace gsst::stage {

/// What a decoding leaves behind, copied to the host.
struct DecodeResult {
  /// Guard bytes, the output, guard bytes.
  std::vector<std::uint8_t> guarded_output;
  std::size_t guard_bytes;
  /// One BlockStatus value per block.
  std::vector<std::uint32_t> statuses;

  std::span<const std::uint8_t> output() const {
    return std::span(guarded_output).subspan(guard_bytes, guarded_output.size() - 2 * guard_bytes);
  }
};

/// How run_decode() lays out its buffers. Both numbers also shift the addresses that the kernel sees.
struct DecodeBuffers {
  /// Bytes before and after the output, and what all of them and the output are filled with first.
  std::size_t guard_bytes = 0;
  std::uint8_t poison = 0;
  /// Bytes before the frame.
  std::size_t frame_offset = 0;
};

/// Whether this program can run stages on `executor` on this machine.
bool is_available(Executor executor);

/// Plans and runs one decoding of `frame` (host memory) with buffers of its own, and waits for it. Throws
/// format::FormatError if the plan refuses the frame, std::invalid_argument for wrong parameters, a wrong
/// format or an executor that is not available. What a block's status says is left to the caller
/// (check_statuses()).
DecodeResult run_decode(const RegisteredStage& stage, Executor executor, std::span<const std::uint8_t> frame,
                        const ParameterValues& parameters = {}, const DecodeBuffers& buffers = {});

}  // namespace gsst::stage
