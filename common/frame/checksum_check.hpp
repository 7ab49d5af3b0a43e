#pragma once

#include <cstddef>
#include <cstdint>

#include "common/frame/checksum.hpp"
#include "common/stage/frame_on_device.hpp"
#include "common/stage/kernels_on.hpp"
#include "common/stage/plan.hpp"

/// Compares decompressed blocks with their stored checksums, in the executor's memory.
namespace gsst::frame {

/// All pointers are in the executor's memory.
struct ChecksumCheck {
  /// A checked frame that has blocks.
  stage::FrameOnDevice frame;
  format::ChecksumKind kind;
  /// Null, or where the kind stands that is to be taken in place of `kind`, which then is xxh64_tree.
  const format::ChecksumKind* stored_kind;
  /// Pieces that the checksum of the longest block is made of; 0 for ChecksumKind::xxh64.
  std::uint64_t pieces_per_block;
  /// frame.uncompressed_bytes bytes.
  std::uint8_t* output;
  /// A word for each piece of each block, for ChecksumKind::xxh64_tree; what they hold does not matter.
  std::uint64_t* piece_checksums;
  /// A word for each block. Those that are 0 are set to BlockStatus::wrong_checksum where the checksum
  /// differs.
  std::uint32_t* status;
};

/// The kernels on an executor: what a plan calls (checksum_plan.hpp).
struct ChecksumKernels {
  /// Enqueues the check on `stream`: allocates nothing, waits for nothing. The output must have been enqueued
  /// before.
  void (*enqueue)(const ChecksumCheck& check, stage::Stream stream);
};

}  // namespace gsst::frame
