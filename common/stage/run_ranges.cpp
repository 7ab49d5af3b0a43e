#include "common/stage/run_ranges.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

#include "common/frame/frame.hpp"
#include "common/stage/frame_shape.hpp"
#include "common/stage/run_memory.hpp"

namespace gsst::stage {
namespace {

using Bytes = std::vector<std::uint8_t>;

// What a stage finds in memory that it has not written, and around it.
constexpr std::uint8_t guard_byte = 0xcd;
constexpr std::size_t guard_bytes = 256;

Bytes between_guards(std::size_t size) {
  return Bytes(size + 2 * guard_bytes, guard_byte);
}

bool guards_stand(std::span<const std::uint8_t> bytes) {
  const auto is_guard = [](std::uint8_t byte) { return byte == guard_byte; };
  return std::ranges::all_of(bytes.first(guard_bytes), is_guard) &&
         std::ranges::all_of(bytes.last(guard_bytes), is_guard);
}

template <typename Buffer>
RangesResult run_with(const Plan& plan, Executor executor, std::span<const std::uint8_t> frame,
                      std::span<const ByteRange> ranges, const DecodeBuffers& buffers) {
  const std::uint64_t output_bytes = bytes_of(plan, Role::output);
  const std::uint64_t scratch_bytes = bytes_of(plan, Role::scratch);
  const std::uint64_t status_bytes = bytes_of(plan, Role::status);
  const Bytes frame_bytes = shifted(frame, buffers.frame_offset);
  Bytes range_bytes(ranges.size_bytes());
  if (!ranges.empty()) std::memcpy(range_bytes.data(), ranges.data(), range_bytes.size());
  Buffer frame_there(frame_bytes);
  Buffer ranges_there(range_bytes);
  Buffer output(Bytes(output_bytes + 2 * buffers.guard_bytes, buffers.poison));
  Buffer scratch(between_guards(scratch_bytes));
  Buffer status(between_guards(status_bytes));
  enqueue_all(plan,
              std::array{to_read(frame_there.data() + buffers.frame_offset, frame.size()),
                         to_read(ranges_there.data(), range_bytes.size()),
                         Given{.data = output.data() + buffers.guard_bytes, .bytes = output_bytes},
                         Given{.data = scratch.data() + guard_bytes, .bytes = scratch_bytes},
                         Given{.data = status.data() + guard_bytes, .bytes = status_bytes}},
              nullptr);
  wait_for(executor);
  const Bytes words = status.to_host();
  RangesResult result{.guarded_output = output.to_host(),
                      .guard_bytes = buffers.guard_bytes,
                      .statuses = std::vector<std::uint32_t>(ranges.size()),
                      .is_rest_intact = guards_stand(words) && guards_stand(scratch.to_host()) &&
                                        frame_there.to_host() == frame_bytes &&
                                        ranges_there.to_host() == range_bytes};
  if (!ranges.empty()) std::memcpy(result.statuses.data(), words.data() + guard_bytes, status_bytes);
  return result;
}

}  // namespace

RangesResult run_ranges(const RegisteredStage& stage, Executor executor, std::span<const std::uint8_t> frame,
                        std::span<const ByteRange> ranges, std::uint64_t output_bytes,
                        const DecodeBuffers& buffers) {
  check_runs_here(stage, executor);
  const std::unique_ptr<Plan> plan =
      stage.ranges.at(executor).make({.frame = frame_shape(frame),
                                      .block_bytes = format::parse_frame_header(frame).block_size,
                                      .range_count = ranges.size(),
                                      .output_bytes = output_bytes});
#if GSST_WITH_CUDA
  if (executor == Executor::gpu) {
    return run_with<cuda::DeviceBuffer>(*plan, executor, frame, ranges, buffers);
  }
#endif
  return run_with<HostBuffer>(*plan, executor, frame, ranges, buffers);
}

}  // namespace gsst::stage
