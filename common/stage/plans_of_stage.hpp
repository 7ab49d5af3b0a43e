#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/stage/frame_on_device.hpp"
#include "common/stage/plan.hpp"
#include "common/stage/stage.hpp"

/// What a stage registers for an operation and an executor: what makes its plans. A plan is made of a
/// subject, which has a type for each operation. Encoders: encode_plans.hpp.
namespace gsst::stage {

/// What is decoded, and how.
struct DecodeSubject {
  /// The shape of a frame that frame_shape() has accepted, or one that stands for every frame within bounds;
  /// `bytes` is nullptr.
  FrameOnDevice frame;
  /// Whether the entries of the index are in memory of their own rather than in the frame; then
  /// `frame.index_offset` means nothing.
  bool index_is_apart = false;
  ParameterValues parameters = {};
};

/// Plans of a decoder. Their parts are, in this order,
///   frame    input    frame.frame_bytes bytes, at any address
///   output   output   frame.uncompressed_bytes bytes, at any address
///   scratch  scratch
///   status   status   a word for each block, aligned to 4, set to BlockStatus values: the highest problem of
///                     the block; for format tiles strip_status() of the first strip with one
///   index    input    only where the index is apart: the entries of all blocks, at any address
/// A plan for no blocks enqueues nothing.
struct DecodePlans {
  /// Throws std::invalid_argument for parameters that the stage does not have.
  std::function<std::unique_ptr<Plan>(const DecodeSubject& subject)> make;
  /// Nullptr where the stage recommends nothing.
  RecommendFunction recommend = nullptr;
};

/// Which ranges of what are decoded.
struct RangesSubject {
  /// As in DecodeSubject; the index is in the frame.
  FrameOnDevice frame;
  /// Uncompressed bytes of every block but the last.
  std::uint64_t block_bytes;
  std::uint64_t range_count;
  /// Of the output. Ranges must not share bytes of it.
  std::uint64_t output_bytes;
  ParameterValues parameters = {};
};

/// Plans of a decoder of ranges. Their parts are, in this order,
///   frame    input    frame.frame_bytes bytes, at any address
///   ranges   input    range_count times ByteRange, aligned to 8
///   output   output   output_bytes bytes, at any address
///   scratch  scratch
///   status   status   a word for each range, aligned to 4, set to a BlockStatus value or one
///                     of the two of common/stage/ranges.hpp
/// A plan for no ranges enqueues nothing.
struct RangesPlans {
  /// Whether ranges of frames of `format` are decoded.
  bool (*decodes)(format::BlockFormat format);
  /// Throws std::invalid_argument for a format of which ranges are not decoded, for parameters that the stage
  /// does not have and for too many ranges.
  std::function<std::unique_ptr<Plan>(const RangesSubject& subject)> make;
};

/// What is asked, and of which frames.
struct QuerySubject {
  /// At least one; a column each where the question is about several. As in DecodeSubject; the index is in
  /// the frame.
  std::vector<FrameOnDevice> frames;
  /// In the words of the stage's series: the name of a query, a pattern. May have any bytes.
  std::string question;
  /// Most bytes of the answer.
  std::uint64_t output_bytes;
  ParameterValues parameters = {};
};

/// Plans of a stage that answers questions about frames without decoding them to memory. Their parts are, in
/// this order,
///   frame    input    for each frame, in the order of the subject: its frame_bytes bytes, at any address
///   answer   output   output_bytes bytes, aligned to 8; the series says what rows it has: sums of groups,
///                     positions, a bitmap
///   result   result   what check() takes Outcome::count from
///   state    state    what prepare() makes of the question, and of the frames' tables
///   scratch  scratch
///   status   status   a word for each block of the first frame, then of the next one, and so on, aligned to
///                     4, set as DecodePlans says; Problem::item counts blocks in that order
/// Parts that a plan does not need have no bytes. An answer with more rows than `answer` has room for is no
/// problem: the outcome has the right count and is not complete, and the answer's bytes do not matter.
struct QueryPlans {
  /// Whether questions are answered about frames of `format`.
  bool (*reads)(format::BlockFormat format);
  /// Throws std::invalid_argument for a question that the stage does not understand or cannot answer about
  /// these frames, for a format that it does not read and for parameters that it does not have.
  std::function<std::unique_ptr<Plan>(const QuerySubject& subject)> make;
};

}  // namespace gsst::stage
