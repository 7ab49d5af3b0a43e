#pragma once

#include <cstdint>
#include <memory>

#include "common/frame/checksum.hpp"
#include "common/stage/frame_on_device.hpp"
#include "common/stage/plan.hpp"
#include "common/stage/stage.hpp"

namespace gsst::frame {

/// What is compared.
struct ChecksumSubject {
  /// As in stage::DecodeSubject, with which the output was decoded.
  stage::FrameOnDevice frame;
  bool index_is_apart = false;
  format::ChecksumKind kind;
  /// Whether the kind is read from the executor's memory; then `kind` is xxh64_tree.
  bool kind_is_stored = false;
  /// Uncompressed bytes of the longest block, at most.
  std::uint64_t longest_block_bytes;
};

/// A plan that compares the blocks that a plan of a decoder has decoded with their stored checksums, after it
/// on the same stream. Its parts are, in this order,
///   frame    input    frame.frame_bytes bytes, at any address
///   output   input    frame.uncompressed_bytes bytes, at any address
///   scratch  scratch
///   status   status   a word for each block, aligned to 4: those that are 0 are set to
///                     BlockStatus::wrong_checksum where the checksum differs
///   index    input    only where the index is apart: the entries of all blocks, at any address
///   kind     input    only where the kind is stored: a format::ChecksumKind
/// Throws std::logic_error if this program has no kernels for `executor`.
std::unique_ptr<stage::Plan> make_checksum_plan(stage::Executor executor, const ChecksumSubject& subject);

}  // namespace gsst::frame
