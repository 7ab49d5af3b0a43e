#include "library/frames_plan.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "common/format/formats.hpp"
#include "common/format/gsst/tiles_header.hpp"
#include "common/format/part_size.hpp"
#include "common/frame/checksum_plan.hpp"
#include "common/frame/frame.hpp"
#include "library/device_frame_plan.hpp"
#include "library/frame_refusal.hpp"
#include "library/gpu_decompress_plan.hpp"
#include "stages/gsst/shared/payload_problem.hpp"

namespace gsst::library {
namespace {

using frames::FramesBounds;
using frames::FramesCheck;
using frames::PlaceProblem;

static_assert(static_cast<std::uint32_t>(stage::PayloadProblem::count) <
              static_cast<std::uint32_t>(PlaceProblem::outside_input));

// Pieces that a grid of four lanes each has room for.
constexpr std::uint64_t most_pieces_of_checksums = std::uint64_t{1} << 34;
constexpr std::uint64_t most_bytes_of_frames = std::uint64_t{1} << 56;

void check_bound_of_frames(const char* name, std::uint64_t value, std::uint64_t least, std::uint64_t most) {
  if (value >= least && value <= most) return;
  throw std::invalid_argument("bounds: " + std::string(name) + " is " + std::to_string(value) +
                              ", expected " + std::to_string(least) + " to " + std::to_string(most));
}

// Uncompressed bytes of the longest block.
std::uint64_t longest_block_bytes(const FramesBounds& bounds) {
  return std::clamp<std::uint64_t>(bounds.output_bytes, 1, format::max_block_bytes);
}

const FramesBounds& checked_bounds(const FramesBounds& bounds) {
  if (!checks_frames_of(bounds.format)) throw std::invalid_argument("bounds: the format has no check");
  check_bound_of_frames("splits", bounds.split_count, 1,
                        format::rules_of(bounds.format).limits().max_split_count);
  check_bound_of_frames("frame_bytes", bounds.frame_bytes, 1, most_bytes_of_frames);
  check_bound_of_frames("output_bytes", bounds.output_bytes, 0, most_bytes_of_frames);
  check_bound_of_frames("input_bytes", bounds.input_bytes, 1, most_bytes_of_frames);
  check_bound_of_frames("total_output_bytes", bounds.all_output_bytes, 0, most_bytes_of_frames);
  check_bound_of_frames("blocks_per_frame", bounds.block_count, 1, format::max_block_count);
  const std::uint64_t pieces =
      format::part_size(longest_block_bytes(bounds), std::uint64_t{format::checksum_piece_bytes});
  const std::uint64_t most_blocks =
      std::min<std::uint64_t>(format::max_block_count, most_pieces_of_checksums / pieces);
  check_bound_of_frames("frame_count", bounds.frame_count, 0, most_blocks / bounds.block_count);
  if (bounds.format == format::BlockFormat::tiles &&
      (bounds.tile_shapes == 0 || bounds.tile_shapes > format::every_tile_shape)) {
    throw std::invalid_argument("bounds: tiles need a shape");
  }
  return bounds;
}

}  // namespace

FramesPlan::FramesPlan(stage::Executor executor, const FramesBounds& bounds, bool verify_checksums)
    : bounds_(checked_bounds(bounds)),
      stage_(&decoder_of(bounds.format, executor)),
      kernels_(stage::KernelsOn<frames::FramesCheckKernels>::get(executor)) {
  decoding_ = stage_->decode.at(executor).make({.frame = shape(), .index_is_apart = true});
  stage_bytes_ = round_up_to_words(bytes_of(*decoding_, stage::Role::scratch));
  if (!verify_checksums) return;
  checksums_ = frame::make_checksum_plan(executor, {.frame = shape(),
                                                    .index_is_apart = true,
                                                    .kind = bounds.checksum_kind,
                                                    .longest_block_bytes = longest_block_bytes(bounds)});
  checksum_bytes_ = bytes_of(*checksums_, stage::Role::scratch);
}

std::uint64_t FramesPlan::index_piece_bytes() const {
  return frame::index_piece_words(bounds_.block_count) * sizeof(std::uint64_t);
}

std::uint64_t FramesPlan::scratch_bytes() const {
  return stage_bytes_ + checksum_bytes_ + bounds_.frame_count * index_piece_bytes() +
         bounds_.all_blocks() * (format::index_entry_bytes + sizeof(std::uint32_t));
}

FramesCheck FramesPlan::frames_check(const FramesMemory& memory) const {
  std::uint8_t* const index_pieces = memory.scratch + stage_bytes_ + checksum_bytes_;
  std::uint8_t* const entries = index_pieces + bounds_.frame_count * index_piece_bytes();
  std::uint8_t* const refusals = entries + bounds_.all_blocks() * format::index_entry_bytes;
  const format::FrameHeader header{
      .format = bounds_.format, .block_size = 1, .split_count = bounds_.split_count};
  return {.bounds = bounds_,
          .compares_checksums = checksums_ != nullptr,
          .alignment = format::rules_of(bounds_.format).limits().payload_alignment,
          .fixed_payload_bytes = format::max_payload_bytes(header, 0),
          .input = memory.input,
          .places = memory.places,
          .index_pieces = reinterpret_cast<std::uint64_t*>(index_pieces),
          .entries = entries,
          .refusals = reinterpret_cast<std::uint32_t*>(refusals)};
}

stage::FrameOnDevice FramesPlan::shape() const {
  return {.bytes = nullptr,
          .frame_bytes = bounds_.input_bytes,
          .index_offset = 0,
          .uncompressed_bytes = bounds_.all_output_bytes,
          .block_count = static_cast<std::uint32_t>(bounds_.all_blocks()),
          .split_count = bounds_.split_count,
          .format = bounds_.format,
          .payload_traits = bounds_.format == format::BlockFormat::tiles
                                ? bounds_.tile_shapes
                                : format::rules_of(bounds_.format).limits().all_traits,
          .has_raw_blocks = true};
}

void FramesPlan::enqueue(const FramesMemory& memory, stage::Stream stream) const {
  // A grid of no blocks is an error in CUDA.
  if (bounds_.frame_count == 0) return;
  const FramesCheck check = frames_check(memory);
  kernels_.enqueue_check(check, memory.results, stream);
  const std::uint64_t blocks = bounds_.all_blocks();
  const stage::Given input = stage::to_read(memory.input, bounds_.input_bytes);
  const stage::Given output = {.data = memory.output, .bytes = bounds_.all_output_bytes};
  const stage::Given status = {.data = memory.status, .bytes = blocks * sizeof(std::uint32_t)};
  const stage::Given index = stage::to_read(check.entries, blocks * format::index_entry_bytes);
  const stage::Given decoding_scratch = {.data = memory.scratch, .bytes = stage_bytes_};
  enqueue_all(*decoding_, std::array{input, output, decoding_scratch, status, index}, stream);
  if (checksums_) {
    const stage::Given pieces = {.data = memory.scratch + stage_bytes_, .bytes = checksum_bytes_};
    enqueue_all(*checksums_, std::array{input, output, pieces, status, index}, stream);
  }
  kernels_.enqueue_statuses(check, memory.results, memory.status, stream);
}

gsst_error error_of_frame(frame::FrameProblem problem) {
  switch (static_cast<PlaceProblem>(problem)) {
    case PlaceProblem::outside_input:
    case PlaceProblem::misaligned_input:
    case PlaceProblem::other_checksum_kind:
      return GSST_ERROR_INVALID_ARGUMENT;
    case PlaceProblem::outside_output:
      return GSST_ERROR_OUTPUT_TOO_SMALL;
  }
  return error_of(problem);
}

std::string describe_frame(frame::FrameProblem problem, std::optional<std::uint64_t> block) {
  switch (static_cast<PlaceProblem>(problem)) {
    case PlaceProblem::outside_input:
      return "it extends past the input";
    case PlaceProblem::misaligned_input:
      return "input_offset: is not a multiple of what its format needs";
    case PlaceProblem::other_checksum_kind:
      return "checksum kind: is not the one that was planned";
    case PlaceProblem::outside_output:
      return "its output extends past the output";
  }
  return describe(problem, block);
}

}  // namespace gsst::library
