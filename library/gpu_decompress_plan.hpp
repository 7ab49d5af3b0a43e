#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "common/stage/decode_plan.hpp"
#include "common/stage/registry.hpp"
#include "library/checksum_check.hpp"
#include "library/decompress_plan.hpp"

namespace gsst::library {

struct GpuDecompressOptions {
  /// Nothing: any frame.
  std::optional<format::BlockFormat> format = std::nullopt;
  bool verify_checksums = true;
};

/// Memory of the executor for one decompression.
struct GpuDecompressMemory {
  /// The planned frame, at any address.
  const std::uint8_t* frame;
  /// summary().uncompressed_bytes bytes, at any address.
  std::uint8_t* output;
  /// scratch_bytes() bytes, aligned to 8; what they hold does not matter.
  std::uint8_t* scratch;
  /// summary().block_count words, set to stage::BlockStatus values or wrong_checksum_status.
  std::uint32_t* status;
};

/// Decompresses one frame in an executor's memory, with the stage for its format that this program was linked
/// with.
class GpuDecompressPlan {
public:
  /// Checks everything of `frame`, in host memory, but codes and checksums; keeps nothing of it. Throws
  /// WrongFormat and format::FormatError.
  GpuDecompressPlan(std::span<const std::uint8_t> frame, const GpuDecompressOptions& options);

  const FrameSummary& summary() const { return summary_; }
  std::uint64_t scratch_bytes() const;
  int minimum_compute_capability() const { return stage_->description.minimum_compute_capability; }

  /// Enqueues the decompression on `stream`, a cudaStream_t for Executor::gpu: allocates nothing, waits for
  /// nothing.
  template <stage::Executor RunsOn>
  void enqueue(const GpuDecompressMemory& memory, void* stream) const {
    // A grid of no blocks is an error in CUDA.
    if (summary_.block_count == 0) return;
    stage_->decode.at(RunsOn)(decode_request(memory, stream));
    if (verify_checksums_) enqueue_checksum_check<RunsOn>(checksum_check(memory), stream);
  }

private:
  GpuDecompressPlan(const format::FrameView& frame, const GpuDecompressOptions& options);

  stage::DecodeRequest decode_request(const GpuDecompressMemory& memory, void* stream) const;
  ChecksumCheck checksum_check(const GpuDecompressMemory& memory) const;

  stage::DecodePlan plan_;
  FrameSummary summary_;
  format::ChecksumKind checksum_kind_;
  bool verify_checksums_;
  const stage::RegisteredStage* stage_;
  // Of the scratch memory: the stage's, in front of the checksums of pieces.
  std::uint64_t stage_scratch_bytes_;
};

}  // namespace gsst::library
