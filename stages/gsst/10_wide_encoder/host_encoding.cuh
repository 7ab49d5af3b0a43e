#pragma once

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>

#include "common/stage/scratch_layout.hpp"
#include "common/stage/side_by_side.hpp"
#include "stages/gsst/10_wide_encoder/compaction_of_long_splits.cuh"
#include "stages/gsst/10_wide_encoder/description.hpp"
#include "stages/gsst/10_wide_encoder/kernel_6_gpu_training.cuh"

// The host side of the kernels that both formats use: they encode, make checksums, and copy codes.
namespace {

// Bytes of shared memory that a thread block may use.
inline std::size_t shared_room(const EncodeSettings& settings) {
  const auto allowed = static_cast<std::size_t>(value_of(settings, "shared_kilobytes")) * 1024;
  return std::min(allowed, gsst::stage::max_shared_bytes());
}

// Rows are halved where long ones leave room for fewer warps than these.
constexpr std::size_t warps_of_long_rows = 8;

// Whether rows are halved beside tables of so many bytes.
inline bool has_short_rows(std::size_t table_bytes, std::size_t room) {
  return room < table_bytes + warps_of_long_rows * TransposedRows<long_row_bytes>::shared_bytes;
}

inline std::uint32_t group_count_of(const EncodeSettings& settings, std::uint32_t groups_per_block) {
  const std::uint64_t groups = std::uint64_t{block_count(settings)} * groups_per_block;
  if (groups > std::numeric_limits<std::int32_t>::max()) {
    throw std::invalid_argument("stage " + description.id + ": " + std::to_string(groups) +
                                " groups of 32 splits are more than can be counted; use larger splits");
  }
  return static_cast<std::uint32_t>(groups);
}

// Bytes of the longest split of the last block, which may be shorter than the others.
inline std::uint32_t last_split_bytes(const EncodeSettings& settings) {
  if (settings.input_bytes == 0) return 0;
  const std::uint64_t last_block = settings.input_bytes - (block_count(settings) - 1) * settings.block_bytes;
  return static_cast<std::uint32_t>(gsst::format::part_size(last_block, settings.split_count));
}

// The CPU executor runs one thread after the other: few warps find the same mistakes sooner.
constexpr bool is_on_cpu = gsst::stage::this_executor == gsst::stage::Executor::simt;
constexpr std::size_t most_encoding_warps = is_on_cpu ? 4 : 32;

constexpr unsigned training_threads = is_on_cpu ? 64 : training::threads;

// Whether the executor can train. Where a thread block has too little shared memory the host does.
inline bool can_train_on_executor(const EncodeSettings& settings) {
  return value_of(settings, "step") >= gpu_training && shared_room(settings) >= sizeof(training::Shared);
}

// Clears what `thread_blocks` thread blocks count pairs with.
inline void enqueue_clearing(training::Scratch* scratch, std::uint32_t thread_blocks, void* stream) {
  gsst::stage::clear_pieces(scratch, sizeof(training::Scratch), sizeof scratch->pair_counts, thread_blocks,
                            stream);
}

// The job of `request`, with its scratch memory from `layout`.
inline EncodeJob take_encode_job(const EncodeRequest& request, gsst::stage::ScratchLayout& layout,
                                 std::uint32_t row_bytes, std::size_t table_bytes) {
  const EncodeSettings& settings = request.settings;
  EncodeJob job{};
  job.parts = take_frame_parts(request, layout);
  job.groups_per_block = static_cast<std::uint32_t>(gsst::format::part_size(job.parts.cut.used_splits(), 32));
  job.group_count = group_count_of(settings, job.groups_per_block);
  job.split_bytes = job.parts.cut.split_bytes();
  job.last_split_bytes = last_split_bytes(settings);
  job.group_input_bytes = std::uint64_t{32} * job.parts.cut.split_bytes();
  job.group_bytes = most_group_bytes(job.parts.cut.split_bytes(), row_bytes);
  job.tables = layout.take<std::uint8_t>(table_count(settings) * table_bytes);
  job.chunk_counts = layout.take<std::uint32_t>(job.group_count);
  job.chunks = layout.take<std::uint8_t>(job.group_count * job.group_bytes);
  return job;
}

inline void enqueue_checksums_beside(const EncodeJob& job, void* stream) {
  gsst::stage::leave_shared_memory_to_others(checksum_pieces_beside);
  const std::uint64_t warps = gsst::format::part_size(all_checksum_pieces(job.parts), pieces_of_warp);
  const std::uint64_t needed = gsst::format::part_size(warps, checksum_threads / 32);
  const std::uint64_t resident = std::uint64_t{checksum_blocks_beside} * gsst::stage::multiprocessor_count();
  gsst::stage::launch({.thread_blocks = static_cast<unsigned>(std::min(needed, resident)),
                       .threads_per_block = checksum_threads,
                       .shared_bytes = 0,
                       .stream = stream},
                      checksum_pieces_beside, job);
  enqueue_block_checksums(job.parts, stream);
}

// Enqueues the encoding with `most_warps` warps a thread block at most.
template <typename Chunk, typename Lookup>
void enqueue_encoding_kernel(const EncodeSettings& settings, const EncodeJob& job, unsigned most_warps,
                             void* stream) {
  const std::size_t room = shared_room(settings);
  constexpr std::size_t table_bytes = Lookup::shared_bytes;
  const std::size_t warps_with_room = room < table_bytes ? 0 : (room - table_bytes) / Chunk::shared_bytes;
  const std::size_t wanted =
      std::min<std::size_t>({static_cast<std::size_t>(value_of(settings, "warps_per_block")),
                             Chunk::most_warps, most_warps, most_encoding_warps});
  const auto warps = static_cast<unsigned>(std::min<std::size_t>({wanted, warps_with_room, job.group_count}));
  if (warps == 0) {
    throw std::invalid_argument("stage " + description.id + ": its kernel needs " +
                                std::to_string(table_bytes + Chunk::shared_bytes) +
                                " bytes of shared memory, a thread block has " + std::to_string(room));
  }
  const std::size_t shared_bytes = table_bytes + warps * Chunk::shared_bytes;
  void (*const kernel)(EncodeJob) = encode_groups<Chunk, Lookup>;
  const std::uint32_t resident = gsst::stage::resident_thread_blocks(warps * 32, shared_bytes, kernel);
  gsst::stage::launch({.thread_blocks = std::min(resident, job.group_count),
                       .threads_per_block = warps * 32,
                       .shared_bytes = shared_bytes,
                       .stream = stream},
                      kernel, job);
}

// Whether the groups have one chunk each, but perhaps those of the last block: a row starts at an address
// that 16 divides.
inline bool has_one_chunk(const EncodeJob& job, std::uint32_t row_bytes) {
  const InputCut& cut = job.parts.cut;
  const std::uint64_t unaligned =
      (reinterpret_cast<std::uintptr_t>(cut.input) | cut.block_bytes | job.split_bytes) % unit_bytes;
  return job.split_bytes + (unaligned == 0 ? 0 : unit_bytes - 1) <= row_bytes;
}

// Enqueues the copy of all codes to where the job's places say.
inline void enqueue_copies(const EncodeJob& job, std::uint32_t row_bytes, std::size_t room, void* stream) {
  const bool one_chunk = has_one_chunk(job, row_bytes);
  const std::size_t warp_bytes = one_chunk ? sizeof(PackedCodes) : sizeof(LongSplitBuffers);
  constexpr unsigned most_warps = 4;
  unsigned warps = most_warps;
  while (warps > 1 && warps * warp_bytes > room) --warps;
  gsst::stage::launch({.thread_blocks = (job.group_count + warps - 1) / warps,
                       .threads_per_block = warps * 32,
                       .shared_bytes = warps * warp_bytes,
                       .stream = stream},
                      one_chunk ? copy_groups : copy_groups_of_long_splits, job);
}

}  // namespace
