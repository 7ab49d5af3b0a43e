#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <stdexcept>

#include "common/format/codag/deflate.hpp"
#include "common/stage/decode_plan.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/registry.hpp"
// After launch.hpp, which gives the kernel CUDA's words where the compiler has none.
#include "stages/codag/10_one_member/kernel.cuh"

namespace gsst::codag {
namespace {

const stage::Description description = {
    .id = "codag/10_one_member",
    .base = "codag/08_substreams",
    .title = "Many warps for one chunk: sections are found, and decoded before what precedes them",
    .section = "past the paper",
    .format = format::codag::deflate_format,
    .operation = stage::Operation::decode,
    .minimum_compute_capability = 80,
    .parameters = {{.name = "piece_bytes",
                    .description = "compressed bytes of a chunk for each of which a warp looks for a section",
                    .values = {4096, 16384, 32768, 65536, 131072, 262144},
                    .default_value = 65536,
                    .compile_time = false},
                   {.name = "batch_bytes",
                    .description = "bytes of output, with 32 KiB for each piece, that are decoded together; "
                                   "at most 2.5 times as much memory is needed for them",
                    .values = {1 << 18, 1 << 27, 1 << 29, std::int64_t{1} << 31},
                    .default_value = 1 << 29,
                    .compile_time = false}}};

// Two codes of one bit each, of a match of 258 bytes (RFC 1951, section 3.2.5).
constexpr std::uint64_t most_bytes_of_deflated_byte = 258 * 8 / 2;

// What a decoding is cut into.
struct MemberChoice {
  explicit MemberChoice(const stage::ParameterValues& parameters)
      : piece_bytes(value(parameters, "piece_bytes")), batch_bytes(value(parameters, "batch_bytes")) {}

  std::uint64_t piece_bytes;
  std::uint64_t batch_bytes;

private:
  static std::uint64_t value(const stage::ParameterValues& parameters, const char* name) {
    return static_cast<std::uint64_t>(stage::parameter_value(description, parameters, name));
  }
};

// How much memory it needs.
struct MemberSizes {
  MemberSizes(const stage::FrameOnDevice& frame, const MemberChoice& choice)
      : slots(frame.frame_bytes / choice.piece_bytes + frame.block_count) {
    const std::uint64_t piece_bytes = choice.piece_bytes;
    const std::uint64_t batch_bytes = choice.batch_bytes;
    // A chunk of several pieces has at most twice as many as whole ones fit in it.
    const std::uint64_t pieces = frame.frame_bytes <= piece_bytes ? 0 : 2 * (frame.frame_bytes / piece_bytes);
    const std::uint64_t all =
        pieces == 0 ? 0 : most_output_bytes(frame) + pieces * (deflate_window_bytes + 16);
    batches = (all + batch_bytes - 1) / batch_bytes;
    // Pieces that begin in a batch's bytes may end behind them.
    plane_bytes = std::min((all + 15) / 16 * 16, batch_bytes + batch_bytes / 4);
    pieces_of_batch = std::min(pieces, batch_bytes / deflate_window_bytes + 1);
  }

  // Of the lists.
  std::uint64_t list_bytes(std::uint32_t blocks) const {
    return (slots * (sizeof(MemberPiece) + sizeof(std::uint32_t)) +
            (batches + 1 + blocks) * sizeof(std::uint32_t) + 15) /
           16 * 16;
  }

  std::uint64_t slots;
  std::uint64_t batches;
  std::uint64_t plane_bytes;
  std::uint64_t pieces_of_batch;

private:
  // A shape that stands for batches of a stream does not say what they decode to.
  static std::uint64_t most_output_bytes(const stage::FrameOnDevice& frame) {
    const std::uint64_t most = frame.frame_bytes * most_bytes_of_deflated_byte;
    return frame.uncompressed_bytes == 0 ? most : std::min(most, frame.uncompressed_bytes);
  }
};

MemberWork work_of(const stage::DecodeRequest& request, const MemberSizes& sizes,
                   const MemberChoice& choice) {
  auto* const pieces = static_cast<MemberPiece*>(request.scratch);
  auto* const order = reinterpret_cast<std::uint32_t*>(pieces + sizes.slots);
  std::uint32_t* const batch_begin = order + sizes.slots;
  return {.frame = request.frame,
          .output = request.output,
          .status = request.status,
          .decoded_alone = batch_begin + sizes.batches + 1,
          .pieces = pieces,
          .order = order,
          .batch_begin = batch_begin,
          .planes = static_cast<std::uint8_t*>(request.scratch) + sizes.list_bytes(request.frame.block_count),
          .plane_bytes = sizes.plane_bytes,
          .batch_bytes = choice.batch_bytes,
          .slot_count = static_cast<std::uint32_t>(sizes.slots),
          .batch_count = static_cast<std::uint32_t>(sizes.batches),
          .piece_shift = static_cast<std::uint32_t>(std::countr_zero(choice.piece_bytes))};
}

// Enqueues a kernel with `shared_bytes` for each thread block.
template <typename... Arguments>
void launch_blocks(const stage::DecodeRequest& request, std::uint64_t thread_blocks, std::uint32_t threads,
                   std::size_t shared_bytes, void (*kernel)(Arguments...), const Arguments&... arguments) {
  stage::launch({.thread_blocks = static_cast<unsigned>(thread_blocks),
                 .threads_per_block = threads,
                 .shared_bytes = shared_bytes,
                 .stream = request.stream},
                kernel, arguments...);
}

void decode(const stage::DecodeRequest& request) {
  const MemberChoice choice(request.parameters);
  const MemberSizes sizes(request.frame, choice);
  if (sizes.slots > std::numeric_limits<std::int32_t>::max()) {
    throw std::invalid_argument(description.id + ": the frame has more pieces than a grid has blocks");
  }
  const MemberWork work = work_of(request, sizes, choice);
  constexpr std::size_t counting_bytes = sizeof(SubstreamMemory<member_segment_bits>);
  constexpr std::size_t decoding_bytes = sizeof(WarpMemory<member_segment_bits>);
  if (sizes.batches > 0) {
    launch_blocks(request, sizes.slots, lanes_of_warp, counting_bytes, find_pieces, work);
    launch_blocks(request, work.frame.block_count, lanes_of_warp, counting_bytes, join_pieces, work);
    launch_blocks(request, 1, lanes_of_warp, 0, order_pieces, work);
  }
  for (std::uint32_t batch = 0; batch < work.batch_count; ++batch) {
    const std::uint64_t groups = (sizes.pieces_of_batch + pieces_of_group - 1) / pieces_of_group;
    launch_blocks(request, sizes.pieces_of_batch, lanes_of_warp, decoding_bytes, decode_to_planes, work,
                  batch);
    launch_blocks(request, groups, threads_of_windows, 0, compose_windows, work, batch);
    launch_blocks(request, 1, threads_of_windows, 0, complete_windows, work, batch);
    launch_blocks(request, sizes.pieces_of_batch, threads_of_bytes, 0, write_known_bytes, work, batch);
  }
  launch_blocks(request, work.frame.block_count, lanes_of_warp, decoding_bytes, decode_rest, work);
}

std::unique_ptr<stage::Plan> make_plan(const stage::DecodeSubject& subject) {
  stage::check_parameters(description, subject.parameters);
  const MemberSizes sizes(subject.frame, MemberChoice(subject.parameters));
  return std::make_unique<stage::DecodePlan>(
      decode, subject, sizes.list_bytes(subject.frame.block_count) + 2 * sizes.plane_bytes);
}

// Not decode_plans(): the parameters say how much scratch memory is needed.
const stage::Registration registration(stage::this_executor, description,
                                       stage::DecodePlans{.make = make_plan, .recommend = nullptr});

}  // namespace
}  // namespace gsst::codag
