#pragma once

#include <cstdint>

#include "common/stage/launch.hpp"
#include "common/stage/shared_memory.hpp"
#include "stages/gsst/frames/frames_check.hpp"
// After launch.hpp, which gives the kernels CUDA's words where the compiler has none.
#include "stages/gsst/shared/payload_check.cuh"

// A warp checks a frame and writes the entries of its blocks. What is checked, and in which order, is that of
// common/frame/frame_check.cuh.
namespace gsst::frames {
namespace {

constexpr unsigned frames_of_thread_block = 4;

__device__ constexpr FrameProblem in_place(PlaceProblem problem) {
  return static_cast<FrameProblem>(problem);
}

// Whether `bytes` bytes from `offset` on are among the first `end`.
__device__ inline bool lies_within(std::uint64_t offset, std::uint64_t bytes, std::uint64_t end) {
  return offset <= end && bytes <= end - offset;
}

__device__ inline bool is_no_frame(const FramePlace& place) {
  return (place.input_offset | place.output_offset | place.frame_bytes | place.output_capacity) == 0;
}

// What is to be known before a byte of the frame is read.
__device__ inline FrameProblem check_place(const FramesCheck& frames, const FramePlace& place) {
  if (place.frame_bytes > frames.bounds.frame_bytes) return FrameProblem::frame_bytes_bound;
  if (!lies_within(place.input_offset, place.frame_bytes, frames.bounds.input_bytes)) {
    return in_place(PlaceProblem::outside_input);
  }
  if (place.input_offset % frames.alignment != 0) return in_place(PlaceProblem::misaligned_input);
  if (!lies_within(place.output_offset, place.output_capacity, frames.bounds.all_output_bytes)) {
    return in_place(PlaceProblem::outside_output);
  }
  return FrameProblem::none;
}

// The check of frame `number` by itself, within what its place allows.
__device__ inline FrameCheck check_of_frame(const FramesCheck& frames, std::uint32_t number,
                                            const FramePlace& place) {
  const FramesBounds& bounds = frames.bounds;
  const std::uint64_t first_block = number * bounds.block_count;
  // Words of one index, as frame::index_piece_words().
  const std::uint64_t piece_words = gsst::format::part_size(
      bounds.block_count * gsst::format::index_entry_bytes + gsst::format::index_totals_bytes,
      gsst::format::checksum_piece_bytes);
  return {.bounds = {.format = bounds.format,
                     .split_count = bounds.split_count,
                     .frame_bytes = bounds.frame_bytes,
                     .output_bytes = place.output_capacity < bounds.output_bytes ? place.output_capacity
                                                                                 : bounds.output_bytes,
                     .block_bytes = gsst::format::max_block_bytes,
                     .block_count = bounds.block_count},
          .fixed_payload_bytes = frames.fixed_payload_bytes,
          .frame = frames.input + place.input_offset,
          .frame_bytes = nullptr,
          .checked = nullptr,
          .index_pieces = frames.index_pieces + number * piece_words,
          .entries = frames.entries + first_block * gsst::format::index_entry_bytes,
          .refusals = frames.refusals + first_block};
}

// The checksum of an index, the same in all lanes, which call it together.
__device__ inline std::uint64_t checksum_by_warp(const std::uint8_t* bytes, std::uint64_t size,
                                                 ChecksumKind kind, std::uint64_t* pieces) {
  if (kind != ChecksumKind::xxh64_tree) return checksum_of_four_lanes(bytes, size);
  constexpr std::uint64_t piece_bytes = gsst::format::checksum_piece_bytes;
  constexpr std::uint64_t together = header_lanes / checksum_lanes;
  const std::uint64_t count = gsst::format::part_size(size, piece_bytes);
  const std::uint32_t lane = threadIdx.x % header_lanes;
  for (std::uint64_t first = 0; first < count; first += together) {
    const std::uint64_t piece = first + lane / checksum_lanes;
    const std::uint64_t begin = piece < count ? piece * piece_bytes : 0;
    const std::uint64_t left = size - begin;
    const std::uint64_t checksum =
        checksum_of_four_lanes(bytes + begin, left < piece_bytes ? left : piece_bytes);
    if (piece < count && lane % checksum_lanes == 0) pieces[piece] = checksum;
  }
  __syncwarp();
  return checksum_of_four_lanes(reinterpret_cast<const std::uint8_t*>(pieces), count * sizeof(std::uint64_t));
}

// Header, trailer and index record, and that the index is what was written. The same in all lanes, which call
// it together. Writes what these say to `checked`.
__device__ inline FrameProblem check_ends(const FramesCheck& frames, const FrameCheck& check,
                                          CheckedFrame& checked) {
  FrameProblem problem = check_magic(check.frame, checked.frame_bytes);
  if (problem != FrameProblem::none) return problem;
  const std::uint64_t header_checksum = checksum_of_four_lanes(check.frame, header_checksum_offset);
  problem = check_frame_header<GsstPayloads>(check, header_checksum, checked);
  if (problem == FrameProblem::none) problem = check_frame_end(check, checked);
  if (problem != FrameProblem::none) return problem;
  const std::uint8_t* const index = check.frame + checked.index_offset;
  const std::uint64_t index_bytes = index_payload_bytes(checked);
  const std::uint64_t checksum =
      checksum_by_warp(index, index_bytes, checked.checksum_kind, check.index_pieces);
  if (load_little_endian<8>(index - 8) != checksum) return FrameProblem::index_checksum;
  const std::uint8_t* const totals = index + index_bytes - gsst::format::index_totals_bytes;
  if (load_little_endian<8>(totals) != checked.block_count) return FrameProblem::index_block_count;
  checked.uncompressed_bytes = load_little_endian<8>(totals + 8);
  if (frames.compares_checksums && checked.block_count != 0 &&
      checked.checksum_kind != frames.bounds.checksum_kind) {
    return in_place(PlaceProblem::other_checksum_kind);
  }
  return FrameProblem::none;
}

// The entries of an index that can be trusted, and the records of their blocks. A warp shares the blocks.
__device__ inline void check_entries(const FrameCheck& check, CheckedFrame& checked, std::uint32_t lane) {
  if (lane == 0 && checked.block_count == 0) check_totals(check, checked, {});
  for (std::uint32_t block = lane; block < checked.block_count; block += header_lanes) {
    report(checked, CheckStep::entries, block, check_index_entry<GsstPayloads>(check, checked, block));
    report(checked, CheckStep::records, block, check_record_in_place<GsstPayloads>(check, checked, block));
    if (block + 1 != checked.block_count) continue;
    const IndexEntryFields entry(check.frame + checked.index_offset +
                                 block * gsst::format::index_entry_bytes);
    check_totals(check, checked,
                 {.in_frame = entry.payload_offset() + entry.payload_bytes(),
                  .in_output = block * checked.block_bytes + entry.uncompressed_bytes()});
  }
}

__device__ inline FrameResult result_of(const CheckedFrame& checked) {
  FrameResult result = {};
  if (checked.problem == 0) {
    result.output_bytes = checked.uncompressed_bytes;
    result.block_count = checked.block_count;
    return result;
  }
  const CheckStep step = step_of(checked.problem);
  result.problem = problem_of(checked.problem);
  if (step == CheckStep::entries || step == CheckStep::records) {
    result.problem_block = block_of(checked.problem) + 1;
  }
  return result;
}

// Whether a block of tiles, whose header can be trusted, has a shape that its decoders were planned for.
__device__ inline FrameProblem check_planned_shape(const FramesCheck& frames, const BlockOnDevice& block) {
  if (frames.bounds.format != BlockFormat::tiles || block.layout == BlockLayout::raw) {
    return FrameProblem::none;
  }
  const TileShape shape = TilesHeader(block.payload).shape();
  const std::uint32_t shapes = frames.bounds.tile_shapes;
  if ((shapes & gsst::format::tile_shape_bit(shape)) != 0) return FrameProblem::none;
  // The three shapes with this number of bits.
  const std::uint32_t of_bits =
      7 * gsst::format::tile_shape_bit({.code_bits = shape.code_bits, .codes_per_lane = 16});
  return in_payload((shapes & of_bits) == 0 ? PayloadProblem::code_bits : PayloadProblem::codes_per_lane);
}

// An entry of the frame at `place`, as one of the index of all frames.
__device__ inline void write_placed_entry(std::uint8_t* to, const std::uint8_t* stored,
                                          const FramePlace& place) {
  using namespace gsst::format;
  const IndexEntryFields entry(stored);
  store_little_endian<8>(to, place.input_offset + entry.payload_offset());
  store_little_endian<8>(to + 8, place.output_offset + entry.uncompressed_offset());
  for (unsigned byte = 0; byte < record_header_bytes; ++byte) to[16 + byte] = entry.record()[byte];
}

// The header of block `number` of an accepted frame, and its entry. The lanes of a warp call it together.
__device__ inline void check_block_of_frame(const FramesCheck& frames, const FrameCheck& check,
                                            const FramePlace& place, const FrameOnDevice& frame,
                                            std::uint32_t number, std::uint32_t lane) {
  FrameProblem problem = problem_of_warp(GsstPayloads::check_block(frame, number, lane));
  if (lane != 0) return;
  if (problem == FrameProblem::none) problem = check_planned_shape(frames, frame.block(number, nullptr));
  std::uint8_t* const entry = check.entries + number * gsst::format::index_entry_bytes;
  const std::uint8_t* const stored =
      check.frame + frame.index_offset + number * gsst::format::index_entry_bytes;
  if (problem == FrameProblem::none) {
    write_placed_entry(entry, stored, place);
    check.refusals[number] = 0;
    return;
  }
  // Blocks after it may still have its table.
  write_empty_entry(entry, place.input_offset + IndexEntryFields(stored).payload_offset());
  check.refusals[number] = static_cast<std::uint32_t>(problem) << 8 | gsst::frame::refused_block_status;
}

// A warp for each frame. Shared memory: a CheckedFrame for each warp.
__global__ void check_frames(FramesCheck frames, FrameResult* results) {
  GSST_SHARED_MEMORY(shared);
  const std::uint32_t lane = threadIdx.x % header_lanes;
  const std::uint32_t warp = threadIdx.x / header_lanes;
  const std::uint32_t number = blockIdx.x * frames_of_thread_block + warp;
  if (number >= frames.bounds.frame_count) return;
  const FramePlace place = frames.places[number];
  const FrameCheck check = check_of_frame(frames, number, place);
  const bool is_frame = !is_no_frame(place);
  CheckedFrame ends = {};
  ends.frame_bytes = place.frame_bytes;
  if (is_frame) {
    FrameProblem problem = check_place(frames, place);
    if (problem == FrameProblem::none) problem = check_ends(frames, check, ends);
    ends.has_index = problem == FrameProblem::none ? 1 : 0;
    ends.problem = problem == FrameProblem::none ? 0 : problem_key(CheckStep::ends, 0, problem);
  }
  CheckedFrame& checked = reinterpret_cast<CheckedFrame*>(shared)[warp];
  if (lane == 0) checked = ends;
  __syncwarp();
  if (ends.has_index != 0) check_entries(check, checked, lane);
  __syncwarp();
  const bool is_refused = checked.problem != 0;
  if (lane == 0) results[number] = result_of(checked);
  const std::uint32_t blocks = is_refused ? 0 : ends.block_count;
  const FrameOnDevice frame = {.bytes = check.frame,
                               .frame_bytes = ends.frame_bytes,
                               .index_offset = ends.index_offset,
                               .uncompressed_bytes = ends.uncompressed_bytes,
                               .block_count = blocks,
                               .split_count = frames.bounds.split_count,
                               .format = frames.bounds.format,
                               .payload_traits = 0,
                               .has_raw_blocks = true};
  for (std::uint32_t block = 0; block < blocks; ++block) {
    check_block_of_frame(frames, check, place, frame, block, lane);
  }
  for (std::uint64_t block = blocks + lane; block < frames.bounds.block_count; block += header_lanes) {
    // Decoders may load the start of a block without bytes, so that must be memory: this entry.
    std::uint8_t* const entry = check.entries + block * gsst::format::index_entry_bytes;
    write_empty_entry(
        entry, reinterpret_cast<std::uintptr_t>(entry) - reinterpret_cast<std::uintptr_t>(frames.input));
    check.refusals[block] = is_refused ? gsst::frame::refused_frame_status : 0;
  }
}

// A thread for each block that the frames can have.
__global__ void write_statuses(FramesCheck frames, const FrameResult* results, std::uint32_t* status) {
  const std::uint32_t block = blockIdx.x * blockDim.x + threadIdx.x;
  const std::uint64_t of_frame = frames.bounds.block_count;
  if (block >= frames.bounds.frame_count * of_frame) return;
  const bool exists = block % of_frame < results[block / of_frame].block_count;
  // What a decoder or the checksums say of a block without bytes counts for nothing.
  if (!exists || frames.refusals[block] != 0) status[block] = frames.refusals[block];
}

void enqueue_check(const FramesCheck& frames, FrameResult* results, stage::Stream stream) {
  const std::uint64_t thread_blocks =
      gsst::format::part_size(frames.bounds.frame_count, frames_of_thread_block);
  stage::launch({.thread_blocks = static_cast<unsigned>(thread_blocks),
                 .threads_per_block = frames_of_thread_block * header_lanes,
                 .shared_bytes = frames_of_thread_block * sizeof(CheckedFrame),
                 .stream = stream},
                check_frames, frames, results);
}

void enqueue_statuses(const FramesCheck& frames, const FrameResult* results, std::uint32_t* status,
                      stage::Stream stream) {
  launch_threads(frames.bounds.all_blocks(), index_threads, stream, write_statuses, frames, results, status);
}

}  // namespace
}  // namespace gsst::frames
