#include "library/device_frame_plan.hpp"

#include <array>
#include <stdexcept>
#include <string>

#include "common/format/formats.hpp"
#include "common/format/part_size.hpp"
#include "common/frame/checksum_plan.hpp"
#include "common/frame/frame.hpp"
#include "library/failure.hpp"
#include "library/gpu_decompress_plan.hpp"

namespace gsst::library {
namespace {

// Pieces that a grid of four lanes each has room for.
constexpr std::uint64_t max_checksum_pieces = std::uint64_t{1} << 34;

void check_bound(const char* name, std::uint64_t value, std::uint64_t least, std::uint64_t most) {
  if (value >= least && value <= most) return;
  throw std::invalid_argument("bounds: " + std::string(name) + " is " + std::to_string(value) +
                              ", expected " + std::to_string(least) + " to " + std::to_string(most));
}

void check_bounds(const frame::FrameBounds& bounds) {
  constexpr std::uint64_t most_bytes = std::uint64_t{1} << 56;
  check_bound("splits", bounds.split_count, 1, format::rules_of(bounds.format).limits().max_split_count);
  check_bound("frame_bytes", bounds.frame_bytes, 1, most_bytes);
  check_bound("output_bytes", bounds.output_bytes, 0, most_bytes);
  check_bound("block_bytes", bounds.block_bytes, 1, format::max_block_bytes);
  check_bound("block_count", bounds.block_count, 1, format::max_block_count);
  check_bound("block_count", bounds.block_count, 1,
              max_checksum_pieces / format::part_size(bounds.block_bytes, format::checksum_piece_bytes));
}

}  // namespace

bool checks_frames_of(format::BlockFormat format) {
  return format >= format::BlockFormat::blocks && format <= format::BlockFormat::tiles;
}

DeviceFramePlan::DeviceFramePlan(stage::Executor executor, const frame::FrameBounds& bounds,
                                 bool verify_checksums)
    : bounds_(bounds),
      stage_(&decoder_of(bounds.format, executor)),
      kernels_(stage::KernelsOn<stage::GsstFrameCheck>::get(executor)) {
  check_bounds(bounds);
  decoding_ = stage_->decode.at(executor).make({.frame = shape(), .index_is_apart = true});
  stage_bytes_ = round_up_to_words(bytes_of(*decoding_, stage::Role::scratch));
  if (!verify_checksums) return;
  checksums_ = frame::make_checksum_plan(executor, {.frame = shape(),
                                                    .index_is_apart = true,
                                                    .kind = format::ChecksumKind::xxh64_tree,
                                                    .kind_is_stored = true,
                                                    .longest_block_bytes = bounds.block_bytes});
  checksum_bytes_ = bytes_of(*checksums_, stage::Role::scratch);
}

std::uint64_t DeviceFramePlan::scratch_bytes() const {
  return stage_bytes_ + checksum_bytes_ + sizeof(frame::CheckedFrame) +
         frame::index_piece_words(bounds_.block_count) * sizeof(std::uint64_t) +
         bounds_.block_count * (format::index_entry_bytes + sizeof(std::uint32_t));
}

frame::FrameCheck DeviceFramePlan::frame_check(const DeviceFrameMemory& memory) const {
  std::uint8_t* const checked = memory.scratch + stage_bytes_ + checksum_bytes_;
  std::uint8_t* const index_pieces = checked + sizeof(frame::CheckedFrame);
  std::uint8_t* const entries =
      index_pieces + frame::index_piece_words(bounds_.block_count) * sizeof(std::uint64_t);
  std::uint8_t* const refusals = entries + bounds_.block_count * format::index_entry_bytes;
  const format::FrameHeader header{
      .format = bounds_.format, .block_size = bounds_.block_bytes, .split_count = bounds_.split_count};
  return {.bounds = bounds_,
          .fixed_payload_bytes = format::max_payload_bytes(header, 0),
          .frame = memory.frame,
          .frame_bytes = memory.frame_bytes,
          .checked = reinterpret_cast<frame::CheckedFrame*>(checked),
          .index_pieces = reinterpret_cast<std::uint64_t*>(index_pieces),
          .entries = entries,
          .refusals = reinterpret_cast<std::uint32_t*>(refusals)};
}

stage::FrameOnDevice DeviceFramePlan::shape() const {
  return {.bytes = nullptr,
          .frame_bytes = bounds_.frame_bytes,
          .index_offset = 0,
          .uncompressed_bytes = bounds_.output_bytes,
          .block_count = static_cast<std::uint32_t>(bounds_.block_count),
          .split_count = bounds_.split_count,
          .format = bounds_.format,
          // Which of them the blocks have is not known.
          .payload_traits = format::rules_of(bounds_.format).limits().all_traits,
          .has_raw_blocks = true};
}

void DeviceFramePlan::enqueue(const DeviceFrameMemory& memory, stage::Stream stream) const {
  const frame::FrameCheck check = frame_check(memory);
  kernels_.enqueue_check(check, stream);
  const stage::Given frame_bytes = stage::to_read(memory.frame, bounds_.frame_bytes);
  const stage::Given output = {.data = memory.output, .bytes = bounds_.output_bytes};
  const stage::Given status = {.data = memory.status, .bytes = bounds_.block_count * sizeof(std::uint32_t)};
  const stage::Given index = stage::to_read(check.entries, bounds_.block_count * format::index_entry_bytes);
  const stage::Given decoding_scratch = {.data = memory.scratch, .bytes = stage_bytes_};
  enqueue_all(*decoding_, std::array{frame_bytes, output, decoding_scratch, status, index}, stream);
  if (checksums_) {
    const stage::Given pieces = {.data = memory.scratch + stage_bytes_, .bytes = checksum_bytes_};
    const stage::Given kind = stage::to_read(&check.checked->checksum_kind, sizeof(format::ChecksumKind));
    enqueue_all(*checksums_, std::array{frame_bytes, output, pieces, status, index, kind}, stream);
  }
  kernels_.enqueue_result(check, memory.result, memory.status, stream);
}

}  // namespace gsst::library
