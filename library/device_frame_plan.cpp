#include "library/device_frame_plan.hpp"

#include <stdexcept>
#include <string>

#include "common/format/frame.hpp"
#include "library/failure.hpp"
#include "library/gpu_decompress_plan.hpp"

namespace gsst::library {
namespace {

// Pieces that a grid of four lanes each has room for.
constexpr std::uint64_t max_checksum_pieces = std::uint64_t{1} << 34;

// A bit for each shape that tiles can have: which of them a frame has is not known.
constexpr std::uint32_t every_tile_shape = (1U << 9) - 1;

void check_bound(const char* name, std::uint64_t value, std::uint64_t least, std::uint64_t most) {
  if (value >= least && value <= most) return;
  throw std::invalid_argument("bounds: " + std::string(name) + " is " + std::to_string(value) +
                              ", expected " + std::to_string(least) + " to " + std::to_string(most));
}

void check_bounds(const FrameBounds& bounds) {
  constexpr std::uint64_t most_bytes = std::uint64_t{1} << 56;
  check_bound("splits", bounds.split_count, 1,
              format::has_splits(bounds.format) ? format::max_split_count : 1);
  check_bound("frame_bytes", bounds.frame_bytes, 1, most_bytes);
  check_bound("output_bytes", bounds.output_bytes, 0, most_bytes);
  check_bound("block_bytes", bounds.block_bytes, 1, format::max_block_bytes);
  check_bound("block_count", bounds.block_count, 1, format::max_block_count);
  check_bound("block_count", bounds.block_count, 1,
              max_checksum_pieces / format::part_size(bounds.block_bytes, format::checksum_piece_bytes));
}

}  // namespace

void check_not_refused(std::uint32_t word, std::uint64_t block) {
  if ((word & 0xff) == refused_frame_status) {
    throw ApiError(GSST_ERROR_DAMAGED, "block " + std::to_string(block) + ": the frame was refused");
  }
  if ((word & 0xff) == refused_block_status) {
    const FrameProblem problem = problem_of_refused_block(word);
    throw ApiError(error_of(problem), describe(problem, block));
  }
}

std::uint64_t index_piece_words(std::uint64_t block_count) {
  return format::part_size(block_count * format::index_entry_bytes + format::index_totals_bytes,
                           format::checksum_piece_bytes);
}

DeviceFramePlan::DeviceFramePlan(stage::Executor executor, const FrameBounds& bounds, bool verify_checksums)
    : bounds_(bounds), verify_checksums_(verify_checksums), stage_(&decoder_of(bounds.format, executor)) {
  check_bounds(bounds);
  stage_bytes_ = round_up_to_words(stage::scratch_bytes(stage_->description, checked_frame({})));
  if (verify_checksums) checksum_bytes_ = bounds.block_count * pieces_per_block() * sizeof(std::uint64_t);
}

std::uint64_t DeviceFramePlan::pieces_per_block() const {
  return frame::checksum_pieces(format::ChecksumKind::xxh64_tree, bounds_.block_bytes);
}

std::uint64_t DeviceFramePlan::scratch_bytes() const {
  return stage_bytes_ + checksum_bytes_ + sizeof(CheckedFrame) +
         index_piece_words(bounds_.block_count) * sizeof(std::uint64_t) +
         bounds_.block_count * (format::index_entry_bytes + sizeof(std::uint32_t));
}

FrameCheck DeviceFramePlan::frame_check(const DeviceFrameMemory& memory) const {
  std::uint8_t* const checked = memory.scratch + stage_bytes_ + checksum_bytes_;
  std::uint8_t* const index_pieces = checked + sizeof(CheckedFrame);
  std::uint8_t* const entries = index_pieces + index_piece_words(bounds_.block_count) * sizeof(std::uint64_t);
  std::uint8_t* const refusals = entries + bounds_.block_count * format::index_entry_bytes;
  const format::FrameHeader header{
      .format = bounds_.format, .block_size = bounds_.block_bytes, .split_count = bounds_.split_count};
  return {.bounds = bounds_,
          .fixed_payload_bytes = format::max_payload_bytes(header, 0),
          .frame = memory.frame,
          .frame_bytes = memory.frame_bytes,
          .checked = reinterpret_cast<CheckedFrame*>(checked),
          .index_pieces = reinterpret_cast<std::uint64_t*>(index_pieces),
          .entries = entries,
          .refusals = reinterpret_cast<std::uint32_t*>(refusals)};
}

stage::FrameOnDevice DeviceFramePlan::checked_frame(const FrameCheck& check) const {
  // The index stands in another memory than the frame, in front of it or behind it: the difference of the
  // addresses may be negative, and adding it as an unsigned number gives the index all the same.
  const std::uint64_t index_offset =
      reinterpret_cast<std::uintptr_t>(check.entries) - reinterpret_cast<std::uintptr_t>(check.frame);
  return {.bytes = check.frame,
          .frame_bytes = bounds_.frame_bytes,
          .index_offset = index_offset,
          .uncompressed_bytes = bounds_.output_bytes,
          .block_count = static_cast<std::uint32_t>(bounds_.block_count),
          .split_count = bounds_.split_count,
          .format = bounds_.format,
          .tile_shapes = bounds_.format == format::BlockFormat::tiles ? every_tile_shape : 0,
          .has_raw_blocks = true};
}

frame::ChecksumCheck DeviceFramePlan::checksum_check(const DeviceFrameMemory& memory,
                                                     const FrameCheck& check) const {
  return {.frame = checked_frame(check),
          .kind = format::ChecksumKind::xxh64_tree,
          .stored_kind = &check.checked->checksum_kind,
          .pieces_per_block = pieces_per_block(),
          .output = memory.output,
          .piece_checksums = reinterpret_cast<std::uint64_t*>(memory.scratch + stage_bytes_),
          .status = memory.status};
}

}  // namespace gsst::library
