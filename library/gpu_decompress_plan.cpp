#include "library/gpu_decompress_plan.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>

#include "common/format/block_status.hpp"
#include "common/format/error.hpp"
#include "common/format/formats.hpp"
#include "common/frame/checksum_plan.hpp"
#include "common/stage/default_stages.hpp"
#include "common/stage/frame_shape.hpp"
#include "common/stage/ranges.hpp"
#include "library/frame_refusal.hpp"

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
    if (status[block] == 0) continue;
    const format::StatusText text = format::describe_status(status[block]);
    throw format::FormatError(block, text.field, text.problem);
  }
}

namespace {

static_assert(sizeof(stage::ByteRange) == sizeof(gsst_range) &&
              offsetof(stage::ByteRange, offset) == offsetof(gsst_range, offset) &&
              offsetof(stage::ByteRange, bytes) == offsetof(gsst_range, bytes) &&
              offsetof(stage::ByteRange, output_offset) == offsetof(gsst_range, output_offset));

format::FrameView parse_wanted_frame(std::span<const std::uint8_t> frame,
                                     std::optional<format::BlockFormat> wanted) {
  format::FrameView view = parse_frame(frame);
  check_format(view.header.format, wanted);
  return view;
}

}  // namespace

GpuDecompressPlan::GpuDecompressPlan(stage::Executor executor, std::span<const std::uint8_t> frame,
                                     const GpuDecompressOptions& options)
    : GpuDecompressPlan(executor, parse_wanted_frame(frame, options.format), options) {}

GpuDecompressPlan::GpuDecompressPlan(stage::Executor executor, const format::FrameView& frame,
                                     const GpuDecompressOptions& options)
    : frame_(stage::frame_shape(frame.bytes)),
      summary_(summarize(frame)),
      stage_(&decoder_of(frame.header.format, executor)),
      ranges_stage_(stage::default_stage(frame.header.format, stage::Operation::ranges, executor)),
      executor_(executor),
      decoding_(stage_->decode.at(executor).make({.frame = frame_})),
      stage_scratch_bytes_(round_up_to_words(bytes_of(*decoding_, stage::Role::scratch))) {
  if (!options.verify_checksums) return;
  // The frame's only block may have less than the size of a block.
  checksums_ = frame::make_checksum_plan(
      executor, {.frame = frame_,
                 .kind = frame.header.checksum_kind,
                 .longest_block_bytes = std::min(summary_.block_bytes, summary_.uncompressed_bytes)});
}

std::uint64_t GpuDecompressPlan::scratch_bytes() const {
  if (summary_.block_count == 0) return 0;
  return stage_scratch_bytes_ + (checksums_ ? bytes_of(*checksums_, stage::Role::scratch) : 0);
}

void GpuDecompressPlan::enqueue(const GpuDecompressMemory& memory, stage::Stream stream) const {
  const auto enqueue_plan = [&](const stage::Plan& plan, std::uint8_t* scratch) {
    const std::array given = {
        stage::to_read(memory.frame, frame_.frame_bytes),
        stage::Given{.data = memory.output, .bytes = frame_.uncompressed_bytes},
        stage::Given{.data = scratch, .bytes = bytes_of(plan, stage::Role::scratch)},
        stage::Given{.data = memory.status, .bytes = bytes_of(plan, stage::Role::status)}};
    enqueue_all(plan, given, stream);
  };
  enqueue_plan(*decoding_, memory.scratch);
  if (checksums_) enqueue_plan(*checksums_, memory.scratch + stage_scratch_bytes_);
}

std::unique_ptr<stage::Plan> GpuDecompressPlan::ranges_plan(std::uint64_t range_count,
                                                            std::uint64_t output_bytes) const {
  if (ranges_stage_ == nullptr) {
    throw WrongFormat("ranges of format " + std::string(format::block_format_name(frame_.format)) +
                      " are not decompressed on a GPU, only those of splits and tiles");
  }
  return ranges_stage_->ranges.at(executor_).make({.frame = frame_,
                                                   .block_bytes = summary_.block_bytes,
                                                   .range_count = range_count,
                                                   .output_bytes = output_bytes});
}

std::uint64_t GpuDecompressPlan::range_scratch_bytes(std::uint64_t range_count) const {
  return stage::bytes_of(*ranges_plan(range_count, 0), stage::Role::scratch);
}

void GpuDecompressPlan::enqueue_ranges(const GpuRangesMemory& memory, stage::Stream stream) const {
  const std::unique_ptr<stage::Plan> plan = ranges_plan(memory.range_count, memory.output_bytes);
  const std::array given = {
      stage::to_read(memory.frame, frame_.frame_bytes),
      stage::to_read(memory.ranges, memory.range_count * sizeof(gsst_range)),
      stage::Given{.data = memory.output, .bytes = memory.output_bytes},
      stage::Given{.data = memory.scratch, .bytes = bytes_of(*plan, stage::Role::scratch)},
      stage::Given{.data = memory.status, .bytes = memory.range_count * sizeof(std::uint32_t)}};
  enqueue_all(*plan, given, stream);
}

}  // namespace gsst::library
