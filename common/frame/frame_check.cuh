#pragma once

#include <cstdint>

#include "common/format/part_size.hpp"
#include "common/frame/checksum.cuh"
#include "common/frame/frame_check_fields.cuh"
#include "common/stage/frame_on_device.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/shared_memory.hpp"

/// The kernels of a frame's check. They know header, index and trailer; a series gives them `Payloads`, whose
/// functions, all of the device, say what its formats' rules are:
/// - has_format(number): whether a format has this number in a frame header;
/// - max_split_count(format): most splits of a block, 1 for a format without splits;
/// - check_record(check, block_size, record): the record of a block but for its kind, as
///   format::parse_record_header();
/// - check_block(frame, number, lane): block `number` of a frame whose index can be trusted, as
///   format::parse_block(). A warp calls it together; where its lanes find different problems, the one with
///   the largest number counts.
namespace {

using gsst::frame::FrameResult;
using gsst::stage::FrameOnDevice;

// The steps of the host's checks, each of which looks at all blocks before the next one begins.
enum class CheckStep : std::uint64_t { ends, entries, totals, records, index_end, bounds };

// The larger, the earlier the host meets the problem.
__device__ inline unsigned long long problem_key(CheckStep step, std::uint64_t block, FrameProblem problem) {
  return ~(static_cast<std::uint64_t>(step) << 48 | block << 8 | static_cast<std::uint64_t>(problem));
}

__device__ inline CheckStep step_of(unsigned long long key) {
  return static_cast<CheckStep>(~key >> 48);
}

__device__ inline std::uint64_t block_of(unsigned long long key) {
  return ~key >> 8 & 0xffffffffff;
}

__device__ inline FrameProblem problem_of(unsigned long long key) {
  return static_cast<FrameProblem>(~key & 0xff);
}

__device__ inline void report(CheckedFrame& checked, CheckStep step, std::uint64_t block,
                              FrameProblem problem) {
  if (problem != FrameProblem::none) atomicMax(&checked.problem, problem_key(step, block, problem));
}

constexpr unsigned ends_threads = 128;

// What the threads that check a frame's ends share.
struct FrameEnds {
  CheckedFrame checked;
  FrameProblem problem;
};

// The checksum of the index, the same in all threads. All threads call it; an index that cannot be trusted
// counts as empty.
__device__ std::uint64_t checksum_of_index(const FrameCheck& check, const FrameEnds& ends) {
  const bool exists = ends.problem == FrameProblem::none;
  const std::uint8_t* bytes = exists ? check.frame + ends.checked.index_offset : check.frame;
  std::uint64_t size = exists ? index_payload_bytes(ends.checked) : 0;
  if (exists && ends.checked.checksum_kind == ChecksumKind::xxh64_tree) {
    constexpr std::uint64_t piece_bytes = gsst::format::checksum_piece_bytes;
    const std::uint64_t pieces = gsst::format::part_size(size, piece_bytes);
    for (std::uint64_t first = 0; first < pieces; first += ends_threads / checksum_lanes) {
      const std::uint64_t piece = first + threadIdx.x / checksum_lanes;
      const std::uint64_t begin = piece < pieces ? piece * piece_bytes : 0;
      const std::uint64_t left = size - begin;
      const std::uint64_t checksum =
          checksum_of_four_lanes(bytes + begin, left < piece_bytes ? left : piece_bytes);
      if (piece < pieces && threadIdx.x % checksum_lanes == 0) check.index_pieces[piece] = checksum;
    }
    __syncthreads();
    bytes = reinterpret_cast<const std::uint8_t*>(check.index_pieces);
    size = pieces * sizeof(std::uint64_t);
  }
  return checksum_of_four_lanes(bytes, size);
}

// Checks header, trailer and index record, and that the index is what was written. One thread block.
template <typename Payloads>
__global__ void check_frame_ends(FrameCheck check) {
  GSST_SHARED_MEMORY(shared);
  FrameEnds& ends = *reinterpret_cast<FrameEnds*>(shared);
  if (threadIdx.x == 0) {
    ends.checked = {};
    ends.checked.frame_bytes = *check.frame_bytes;
    ends.problem = ends.checked.frame_bytes > check.bounds.frame_bytes
                       ? FrameProblem::frame_bytes_bound
                       : check_magic(check.frame, ends.checked.frame_bytes);
  }
  __syncthreads();
  const bool has_header = ends.problem == FrameProblem::none;
  const std::uint64_t header_checksum =
      checksum_of_four_lanes(check.frame, has_header ? header_checksum_offset : 0);
  __syncthreads();
  if (threadIdx.x == 0 && has_header) {
    ends.problem = check_frame_header<Payloads>(check, header_checksum, ends.checked);
    if (ends.problem == FrameProblem::none) ends.problem = check_frame_end(check, ends.checked);
  }
  __syncthreads();
  const std::uint64_t index_checksum = checksum_of_index(check, ends);
  if (threadIdx.x != 0) return;
  FrameProblem problem = ends.problem;
  CheckedFrame checked = ends.checked;
  if (problem == FrameProblem::none) {
    const std::uint8_t* const index = check.frame + checked.index_offset;
    const std::uint8_t* const totals =
        index + index_payload_bytes(checked) - gsst::format::index_totals_bytes;
    checked.uncompressed_bytes = load_little_endian<8>(totals + 8);
    if (load_little_endian<8>(index - 8) != index_checksum) {
      problem = FrameProblem::index_checksum;
    } else if (load_little_endian<8>(totals) != checked.block_count) {
      problem = FrameProblem::index_block_count;
    }
  }
  checked.has_index = problem == FrameProblem::none ? 1 : 0;
  checked.problem = problem == FrameProblem::none ? 0 : problem_key(CheckStep::ends, 0, problem);
  *check.checked = checked;
}

constexpr unsigned index_threads = 128;

// Where the last block ends, in the frame and in the output.
struct BlocksEnd {
  std::uint64_t in_frame = gsst::format::frame_header_bytes;
  std::uint64_t in_output = 0;
};

// What is checked behind the last block.
__device__ inline void check_totals(const FrameCheck& check, CheckedFrame& checked, const BlocksEnd& end) {
  if (checked.uncompressed_bytes != end.in_output) {
    report(checked, CheckStep::totals, 0, FrameProblem::index_uncompressed_bytes);
  }
  if (checked.blocks_end != end.in_frame) {
    report(checked, CheckStep::index_end, 0, FrameProblem::index_end);
  }
  if (checked.uncompressed_bytes > check.bounds.output_bytes) {
    report(checked, CheckStep::bounds, 0, FrameProblem::output_bound);
  }
}

// A thread for each entry that the index can have.
template <typename Payloads>
__global__ void check_index(FrameCheck check) {
  CheckedFrame& checked = *check.checked;
  const std::uint32_t block = blockIdx.x * blockDim.x + threadIdx.x;
  if (checked.has_index == 0) return;
  if (block == 0 && checked.block_count == 0) check_totals(check, checked, {});
  if (block >= checked.block_count) return;
  report(checked, CheckStep::entries, block, check_index_entry<Payloads>(check, checked, block));
  report(checked, CheckStep::records, block, check_record_in_place<Payloads>(check, checked, block));
  if (block + 1 == checked.block_count) {
    const IndexEntryFields entry(check.frame + checked.index_offset +
                                 block * gsst::format::index_entry_bytes);
    check_totals(check, checked,
                 {.in_frame = entry.payload_offset() + entry.payload_bytes(),
                  .in_output = block * checked.block_bytes + entry.uncompressed_bytes()});
  }
}

constexpr unsigned header_warps = 4;
constexpr std::uint32_t header_lanes = 32;
constexpr unsigned all_header_lanes = 0xffffffff;

// What the lanes of a warp have found together: in the order of the host's checks where they differ, since
// only the last checks depend on the lane and only no problem comes after them in number.
__device__ inline FrameProblem problem_of_warp(FrameProblem problem) {
  auto found = static_cast<unsigned>(problem);
  for (int distance = 1; distance < static_cast<int>(header_lanes); distance *= 2) {
    const unsigned other = __shfl_xor_sync(all_header_lanes, found, distance);
    // A strip is looked at before the table of another block.
    found = other > found ? other : found;
  }
  return static_cast<FrameProblem>(found);
}

// A block without bytes, whose header, if somebody looks for one, is at `payload_offset`.
__device__ inline void write_empty_entry(std::uint8_t* to, std::uint64_t payload_offset) {
  gsst::format::write_index_entry(to, {.payload_offset = payload_offset,
                                       .uncompressed_offset = 0,
                                       .record = {.layout = gsst::format::BlockLayout::raw,
                                                  .payload_bytes = 0,
                                                  .uncompressed_bytes = 0,
                                                  .checksum = 0}});
}

// A warp for each block that the frame can have: checks its header and writes its entry.
template <typename Payloads>
__global__ void check_block_headers(FrameCheck check) {
  const std::uint32_t number = (blockIdx.x * blockDim.x + threadIdx.x) / header_lanes;
  const std::uint32_t lane = threadIdx.x % header_lanes;
  const CheckedFrame& checked = *check.checked;
  if (number >= check.bounds.block_count) return;
  const bool has_frame = checked.problem == 0;
  const bool exists = has_frame && number < checked.block_count;
  const FrameOnDevice frame = {.bytes = check.frame,
                               .frame_bytes = checked.frame_bytes,
                               .index_offset = checked.index_offset,
                               .uncompressed_bytes = checked.uncompressed_bytes,
                               .block_count = checked.block_count,
                               .split_count = check.bounds.split_count,
                               .format = check.bounds.format,
                               .payload_traits = 0,
                               .has_raw_blocks = true};
  const FrameProblem problem =
      problem_of_warp(exists ? Payloads::check_block(frame, number, lane) : FrameProblem::none);
  if (lane != 0) return;
  std::uint8_t* const entry = check.entries + number * gsst::format::index_entry_bytes;
  if (!exists) {
    // Decoders may load the start of a block without bytes, so that must be memory: this entry.
    write_empty_entry(
        entry, reinterpret_cast<std::uintptr_t>(entry) - reinterpret_cast<std::uintptr_t>(check.frame));
    check.refusals[number] = has_frame ? 0 : gsst::frame::refused_frame_status;
    return;
  }
  const std::uint8_t* const stored =
      check.frame + checked.index_offset + number * gsst::format::index_entry_bytes;
  if (problem != FrameProblem::none) {
    write_empty_entry(entry, IndexEntryFields(stored).payload_offset());
    check.refusals[number] = static_cast<std::uint32_t>(problem) << 8 | gsst::frame::refused_block_status;
    return;
  }
  for (unsigned byte = 0; byte < gsst::format::index_entry_bytes; ++byte) entry[byte] = stored[byte];
  check.refusals[number] = 0;
}

// A thread for each block that the frame can have.
__global__ void write_result(FrameCheck check, FrameResult* result, std::uint32_t* status) {
  const std::uint32_t block = blockIdx.x * blockDim.x + threadIdx.x;
  const CheckedFrame& checked = *check.checked;
  if (block == 0) {
    *result = {};
    if (checked.problem == 0) {
      result->output_bytes = checked.uncompressed_bytes;
      result->block_count = checked.block_count;
    } else {
      const CheckStep step = step_of(checked.problem);
      const bool in_block = step == CheckStep::entries || step == CheckStep::records;
      result->problem = problem_of(checked.problem);
      result->problem_block = in_block ? block_of(checked.problem) + 1 : 0;
    }
  }
  if (block >= check.bounds.block_count) return;
  const bool exists = checked.problem == 0 && block < checked.block_count;
  if (!exists || check.refusals[block] != 0) status[block] = check.refusals[block];
}

template <typename... Parameters, typename... Arguments>
void launch_threads(std::uint64_t threads, unsigned threads_per_block, void* stream,
                    void (*kernel)(Parameters...), const Arguments&... arguments) {
  const std::uint64_t thread_blocks = gsst::format::part_size(threads, threads_per_block);
  gsst::stage::launch({.thread_blocks = static_cast<unsigned>(thread_blocks),
                       .threads_per_block = threads_per_block,
                       .shared_bytes = 0,
                       .stream = stream},
                      kernel, arguments...);
}

template <typename Payloads>
void enqueue_checks(const FrameCheck& check, gsst::stage::Stream stream) {
  gsst::stage::launch({.thread_blocks = 1,
                       .threads_per_block = ends_threads,
                       .shared_bytes = sizeof(FrameEnds),
                       .stream = stream},
                      check_frame_ends<Payloads>, check);
  launch_threads(check.bounds.block_count, index_threads, stream, check_index<Payloads>, check);
  launch_threads(check.bounds.block_count * header_lanes, header_warps * header_lanes, stream,
                 check_block_headers<Payloads>, check);
}

inline void enqueue_result(const FrameCheck& check, FrameResult* result, std::uint32_t* status,
                           gsst::stage::Stream stream) {
  launch_threads(check.bounds.block_count, index_threads, stream, write_result, check, result, status);
}

}  // namespace
