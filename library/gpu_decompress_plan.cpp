#include "library/gpu_decompress_plan.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "common/format/block.hpp"
#include "common/format/error.hpp"
#include "common/stage/default_stages.hpp"
#include "library/frame_check.hpp"

namespace gsst::library {

const stage::RegisteredStage& decoder_of(format::BlockFormat format, stage::Executor executor) {
  const stage::RegisteredStage* const stage =
      stage::default_stage(format, stage::Operation::decode, executor);
  if (stage == nullptr) {
    throw std::logic_error("no stage for format " + std::string(format::block_format_name(format)) +
                           " is linked");
  }
  return *stage;
}

void check_block_statuses(std::span<const std::uint32_t> status) {
  for (std::size_t block = 0; block < status.size(); ++block) {
    check_not_refused(status[block], block);
    if (status[block] != 0) stage::check_statuses(status.first(block + 1));
  }
}

namespace {

format::FrameView parse_wanted_frame(std::span<const std::uint8_t> frame,
                                     std::optional<format::BlockFormat> wanted) {
  format::FrameView view = parse_frame(frame);
  check_format(view, wanted);
  return view;
}

// Of the longest block: the frame's only block may have less than the size of a block.
std::uint64_t pieces_per_block(format::ChecksumKind kind, const FrameSummary& summary) {
  return frame::checksum_pieces(kind, std::min(summary.block_bytes, summary.uncompressed_bytes));
}

}  // namespace

GpuDecompressPlan::GpuDecompressPlan(stage::Executor executor, std::span<const std::uint8_t> frame,
                                     const GpuDecompressOptions& options)
    : GpuDecompressPlan(executor, parse_wanted_frame(frame, options.format), options) {}

GpuDecompressPlan::GpuDecompressPlan(stage::Executor executor, const format::FrameView& frame,
                                     const GpuDecompressOptions& options)
    : plan_(frame.bytes),
      summary_(summarize(frame)),
      checksum_kind_(frame.header.checksum_kind),
      verify_checksums_(options.verify_checksums),
      stage_(&decoder_of(frame.header.format, executor)),
      stage_scratch_bytes_(
          round_up_to_words(stage::scratch_bytes(stage_->description, plan_.frame_at(nullptr)))) {}

std::uint64_t GpuDecompressPlan::scratch_bytes() const {
  if (summary_.block_count == 0) return 0;
  const std::uint64_t pieces =
      verify_checksums_ ? pieces_per_block(checksum_kind_, summary_) * summary_.block_count : 0;
  return stage_scratch_bytes_ + pieces * sizeof(std::uint64_t);
}

std::uint64_t GpuDecompressPlan::range_scratch_bytes(std::uint64_t range_count) const {
  if (!has_range_decoder(plan_.format())) {
    throw WrongFormat("ranges of format " + std::string(format::block_format_name(plan_.format())) +
                      " are not decompressed on a GPU, only those of splits and tiles");
  }
  if (range_count > max_range_count) {
    throw std::invalid_argument(std::to_string(range_count) + " ranges, at most " +
                                std::to_string(max_range_count) + " can be decompressed in one go");
  }
  return range_count == 0 ? 0 : range_scratch_words(range_count) * sizeof(std::uint64_t);
}

stage::DecodeRequest GpuDecompressPlan::decode_request(const GpuDecompressMemory& memory,
                                                       void* stream) const {
  return {.frame = plan_.frame_at(memory.frame),
          .output = memory.output,
          .status = memory.status,
          .scratch = memory.scratch,
          .parameters = {},
          .stream = stream};
}

frame::ChecksumCheck GpuDecompressPlan::checksum_check(const GpuDecompressMemory& memory) const {
  return {.frame = plan_.frame_at(memory.frame),
          .kind = checksum_kind_,
          .stored_kind = nullptr,
          .pieces_per_block = pieces_per_block(checksum_kind_, summary_),
          .output = memory.output,
          .piece_checksums = reinterpret_cast<std::uint64_t*>(memory.scratch + stage_scratch_bytes_),
          .status = memory.status};
}

RangeDecode GpuDecompressPlan::range_decode(const GpuRangesMemory& memory) const {
  return {.frame = plan_.frame_at(memory.frame),
          .block_bytes = summary_.block_bytes,
          .ranges = memory.ranges,
          .range_count = memory.range_count,
          .output = memory.output,
          .output_bytes = memory.output_bytes,
          .scratch = reinterpret_cast<std::uint64_t*>(memory.scratch),
          .status = memory.status};
}

}  // namespace gsst::library
