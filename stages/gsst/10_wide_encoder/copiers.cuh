#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "stages/gsst/10_wide_encoder/host_encoding.cuh"

// Warps that copy while others encode. The input is encoded in pieces, and while one is encoded, a kernel on
// a stream of its own copies the codes of the piece before it to the frame, with the warps for which the
// encoding leaves room on each multiprocessor.
namespace {

// The blocks from `first` to before `end` as a job of their own, of the same frame. Block `first` is the
// first one with its table.
inline EncodeJob job_of_blocks(const EncodeJob& job, std::uint32_t first, std::uint32_t end) {
  EncodeJob piece = job;
  FrameParts& parts = piece.parts;
  InputCut& cut = parts.cut;
  const std::uint64_t bytes_before = first * cut.block_bytes;
  const bool is_last = end == cut.block_count;
  cut.input += bytes_before;
  cut.input_bytes = is_last ? cut.input_bytes - bytes_before : (end - first) * cut.block_bytes;
  cut.block_count = end - first;
  parts.table_of_group += first / parts.blocks_per_table;
  parts.splits += std::uint64_t{first} * cut.used_splits();
  parts.piece_checksums += std::uint64_t{first} * parts.pieces_per_block();
  parts.checksums += first;
  parts.places += first;
  parts.status += first;
  const std::uint64_t groups_before = std::uint64_t{first} * job.groups_per_block;
  piece.group_count = (end - first) * job.groups_per_block;
  piece.chunk_counts += groups_before;
  piece.chunks += groups_before * job.group_bytes;
  if (!is_last) piece.last_split_bytes = piece.split_bytes;
  return piece;
}

// Blocks before piece `number` of `pieces`: whole tables.
inline std::uint32_t blocks_before_piece(const EncodeJob& job, std::uint32_t number, std::uint32_t pieces) {
  const FrameParts& parts = job.parts;
  const std::uint64_t tables = gsst::format::part_size(parts.cut.block_count, parts.blocks_per_table);
  const std::uint64_t blocks = tables * number / pieces * parts.blocks_per_table;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(blocks, parts.cut.block_count));
}

// The pieces of the job, fewer than the parameter says where there are fewer tables; one of a job without
// blocks.
inline std::vector<EncodeJob> pieces_of(const EncodeJob& job, const EncodeSettings& settings) {
  const auto wanted = static_cast<std::uint32_t>(value_of(settings, "pieces"));
  std::vector<EncodeJob> pieces;
  for (std::uint32_t number = 0; number < wanted; ++number) {
    const std::uint32_t first = blocks_before_piece(job, number, wanted);
    const std::uint32_t end = blocks_before_piece(job, number + 1, wanted);
    if (first != end) pieces.push_back(job_of_blocks(job, first, end));
  }
  if (pieces.empty()) pieces.push_back(job);
  return pieces;
}

// Enqueues the places of the blocks of `piece`; those of the pieces before it are there.
inline void enqueue_places_of_piece(const EncodeJob& job, const EncodeJob& piece, void* stream) {
  FrameParts so_far = job.parts;
  so_far.cut.block_count =
      static_cast<std::uint32_t>(piece.parts.places - job.parts.places) + piece.parts.cut.block_count;
  enqueue_places(so_far, piece.parts, stream);
}

}  // namespace
