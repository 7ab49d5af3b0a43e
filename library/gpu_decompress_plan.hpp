#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "common/format/part_size.hpp"
#include "common/stage/plan.hpp"
#include "common/stage/registry.hpp"
#include "gsst/gsst.h"
#include "library/decompress_plan.hpp"

namespace gsst::library {

/// The default stage that decodes `format` on `executor`. Throws std::logic_error if this program was not
/// linked with it.
const stage::RegisteredStage& decoder_of(format::BlockFormat format, stage::Executor executor);

/// `bytes`, rounded up to whole words of 8 bytes.
inline std::uint64_t round_up_to_words(std::uint64_t bytes) {
  return format::part_size(bytes, sizeof(std::uint64_t)) * sizeof(std::uint64_t);
}

/// Throws for the first block whose word in `status`, in host memory, says that it was not decompressed:
/// format::FormatError, or ApiError where a header was refused.
void check_block_statuses(std::span<const std::uint32_t> status);

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
  /// summary().block_count words, set to stage::BlockStatus values of the decoder or of the check of
  /// checksums.
  std::uint32_t* status;
};

/// Memory of the executor for the decompression of ranges.
struct GpuRangesMemory {
  /// The planned frame, at any address.
  const std::uint8_t* frame;
  /// range_count of them, aligned to 8.
  const gsst_range* ranges;
  std::uint64_t range_count;
  /// output_bytes bytes, at any address.
  std::uint8_t* output;
  std::uint64_t output_bytes;
  /// range_scratch_bytes() bytes, aligned to 8; what they hold does not matter.
  std::uint8_t* scratch;
  /// range_count words, set as stage::RangesPlans says.
  std::uint32_t* status;
};

/// Decompresses one frame in an executor's memory, with the default stage for its format.
class GpuDecompressPlan {
public:
  /// Checks everything of `frame`, in host memory, but codes and checksums; keeps nothing of it. Throws
  /// WrongFormat and format::FormatError.
  GpuDecompressPlan(stage::Executor executor, std::span<const std::uint8_t> frame,
                    const GpuDecompressOptions& options);

  const FrameSummary& summary() const { return summary_; }
  std::uint64_t scratch_bytes() const;
  int minimum_compute_capability() const { return stage_->description.minimum_compute_capability; }

  /// Enqueues the decompression on `stream`: allocates nothing, waits for nothing.
  void enqueue(const GpuDecompressMemory& memory, stage::Stream stream) const;

  /// The stage that decompresses ranges of the frame's format; nullptr if none does.
  const stage::RegisteredStage* ranges_stage() const { return ranges_stage_; }

  /// Bytes of scratch memory for `range_count` ranges. Throws WrongFormat if ranges of the frame's format
  /// cannot be decompressed, std::invalid_argument for too many.
  std::uint64_t range_scratch_bytes(std::uint64_t range_count) const;

  /// As enqueue(), for ranges. Checksums are not compared: they are of whole blocks. The formats and numbers
  /// of ranges are those that range_scratch_bytes() accepts.
  void enqueue_ranges(const GpuRangesMemory& memory, stage::Stream stream) const;

private:
  GpuDecompressPlan(stage::Executor executor, const format::FrameView& frame,
                    const GpuDecompressOptions& options);

  std::unique_ptr<stage::Plan> ranges_plan(std::uint64_t range_count, std::uint64_t output_bytes) const;

  // Without a pointer.
  stage::FrameOnDevice frame_;
  FrameSummary summary_;
  const stage::RegisteredStage* stage_;
  // Nullptr where ranges of the frame's format are not decompressed.
  const stage::RegisteredStage* ranges_stage_;
  stage::Executor executor_;
  std::unique_ptr<stage::Plan> decoding_;
  // Nullptr where none are compared.
  std::unique_ptr<stage::Plan> checksums_;
  // Of the scratch memory: the stage's, in front of the checksums of pieces.
  std::uint64_t stage_scratch_bytes_;
};

}  // namespace gsst::library
