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

/// Throws std::invalid_argument if this program cannot run `stage` on `executor` on this machine.
void check_runs_here(const RegisteredStage& stage, Executor executor);

/// As check_runs_here(), and throws std::invalid_argument too if `stage` decodes another format or does not
/// have these parameters.
void check_decoder(const RegisteredStage& stage, Executor executor, format::BlockFormat block_format,
                   const ParameterValues& parameters);

/// Plans and runs one decoding of `frame` (host memory) with buffers of its own, and waits for it. Throws
/// format::FormatError if frame_shape() refuses the frame, std::invalid_argument as check_decoder() does.
/// What a block's status says is left to the caller.
DecodeResult run_decode(const RegisteredStage& stage, Executor executor, std::span<const std::uint8_t> frame,
                        const ParameterValues& parameters = {}, const DecodeBuffers& buffers = {});

}  // namespace gsst::stage
