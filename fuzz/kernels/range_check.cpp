#include "fuzz/kernels/range_check.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "common/format/error.hpp"
#include "common/frame/frame.hpp"
#include "common/stage/frame_shape.hpp"
#include "common/stage/ranges.hpp"
#include "fuzz/kernels/frame_changes.hpp"
#include "fuzz/kernels/guards.hpp"
#include "fuzz/payload_mutator.hpp"

namespace gsst::fuzz {
namespace {

using Bytes = std::vector<std::uint8_t>;
using stage::ByteRange;
using Ranges = std::vector<ByteRange>;

// Ranges of a frame: one for each block, within these limits.
constexpr std::size_t fewest_ranges = 40;
constexpr std::size_t most_ranges = 4096;

struct RangeTask {
  Ranges ranges;
  std::uint64_t output_bytes = 0;
};

ByteRange random_range(std::uint64_t frame_output, Random& random) {
  // Mostly strings; some of several blocks, and some of nothing.
  const std::uint32_t most = random.one_in(32) ? 20000 : random.one_in(4) ? 700 : 40;
  const std::uint64_t bytes = std::min<std::uint64_t>(random.below(most), frame_output);
  return {.offset = random.number() % (frame_output - bytes + 1), .bytes = bytes, .output_offset = 0};
}

// Reaches out of the frame, or out of the output.
void put_outside(ByteRange& range, const RangeTask& task, std::uint64_t frame_output, Random& random) {
  const std::uint64_t far = random.one_in(2) ? random.number() : random.below(1000);
  switch (random.below(3)) {
    case 0:
      range.offset = frame_output + 1 + far % (~frame_output);
      break;
    case 1:
      range.bytes = frame_output - range.offset + 1 + far % (~frame_output);
      break;
    default:
      range.output_offset = task.output_bytes + 1 + far % (~task.output_bytes);
  }
}

RangeTask make_task(std::uint64_t frame_output, std::size_t blocks, Random& random) {
  RangeTask task;
  task.ranges.resize(std::clamp(blocks, fewest_ranges, most_ranges));
  for (ByteRange& range : task.ranges) range = random_range(frame_output, random);
  // In rising order a range can go on where the one before ended.
  if (random.one_in(2)) std::ranges::sort(task.ranges, {}, &ByteRange::offset);
  const std::uint32_t most_between = random.one_in(2) ? 1 : 5;
  for (ByteRange& range : task.ranges) {
    range.output_offset = task.output_bytes;
    task.output_bytes += range.bytes + random.below(most_between);
  }
  for (ByteRange& range : task.ranges) {
    if (random.one_in(16)) put_outside(range, task, frame_output, random);
  }
  return task;
}

struct RangesLeft {
  // The output between guards of poison, and what all of it held before.
  Bytes output;
  Bytes poison;
  std::vector<std::uint32_t> statuses;
  std::string changed_memory;
};

template <typename Buffer>
RangesLeft decode_task(const stage::Plan& plan, stage::Executor executor, std::span<const std::uint8_t> frame,
                       const RangeTask& task, Random& random) {
  const std::size_t frame_offset = random.one_in(2) ? 0 : random.below(128);
  Bytes frame_bytes(frame_offset, noise);
  frame_bytes.insert(frame_bytes.end(), frame.begin(), frame.end());
  RangesLeft left;
  left.poison = make_poison(task.output_bytes + 2 * guard_bytes, random.byte());
  Bytes range_bytes(task.ranges.size() * sizeof(ByteRange));
  std::memcpy(range_bytes.data(), task.ranges.data(), range_bytes.size());
  const std::span<const stage::Part> parts = plan.parts();
  Buffer frame_memory(frame_bytes);
  Buffer ranges(range_bytes);
  Buffer output(left.poison);
  Buffer scratch(between_guards(parts[3].bytes));
  Buffer statuses(between_guards(parts[4].bytes));
  stage::enqueue_all(plan,
                     std::array<stage::Given, 5>{{{frame_memory.data() + frame_offset, frame.size()},
                                                  {ranges.data(), range_bytes.size()},
                                                  {output.data() + guard_bytes, task.output_bytes},
                                                  {scratch.data() + guard_bytes, parts[3].bytes},
                                                  {statuses.data() + guard_bytes, parts[4].bytes}}},
                     nullptr);
  wait_for(executor);
  left.output = output.to_host();
  const Bytes words = statuses.to_host();
  left.statuses.resize(task.ranges.size());
  std::memcpy(left.statuses.data(), words.data() + guard_bytes, left.statuses.size() * sizeof(std::uint32_t));
  if (frame_memory.to_host() != frame_bytes) left.changed_memory = "the frame";
  if (ranges.to_host() != range_bytes) left.changed_memory = "the ranges";
  if (!guards_stand(words)) left.changed_memory = "the words around the statuses";
  if (!guards_stand(scratch.to_host())) left.changed_memory = "the bytes around the scratch memory";
  return left;
}

bool lies_in(std::uint64_t offset, std::uint64_t bytes, std::uint64_t size) {
  return offset <= size && bytes <= size - offset;
}

// The status of a range that reaches out.
std::optional<std::uint32_t> outside_status(const ByteRange& range, std::uint64_t frame_output,
                                            std::uint64_t output_bytes) {
  if (!lies_in(range.offset, range.bytes, frame_output)) return stage::outside_frame_status;
  if (!lies_in(range.output_offset, range.bytes, output_bytes)) return stage::outside_output_status;
  return std::nullopt;
}

// Blocks that the oracle decodes need not be looked at part by part.
stage::RangeOracle ask(const format::FrameView& view, const Expectation& expected, const ByteRange& range) {
  stage::RangeOracle oracle;
  const std::uint64_t block_bytes = view.header.block_size;
  for (std::uint64_t byte = range.offset; byte < range.offset + range.bytes; ++byte) {
    const std::optional<Bytes>& block = expected.outputs[byte / block_bytes];
    if (!block) return mutator_of(view.header.format).ask_range(view, range);
    oracle.bytes.emplace_back((*block)[byte % block_bytes]);
  }
  return oracle;
}

// Nothing if what is left of a range is as it must be.
std::string breach_of_range(format::BlockFormat format, const stage::RangeOracle& oracle,
                            std::uint32_t status, std::span<const std::uint8_t> output) {
  if (status != 0 && !mutator_of(format).is_problem(status)) {
    return "its status is " + std::to_string(status) + ", which is none";
  }
  if (oracle.allows(status == 0, output)) return "";
  if (status != 0) return "refused with status " + std::to_string(status) + ", the oracle decodes it";
  return oracle.is_right ? "other bytes than the oracle's" : "decoded to bytes that the oracle has not";
}

class RangeComparison {
public:
  RangeComparison(const format::FrameView& view, const Expectation& expected, const RangeTask& task,
                  RangesLeft left)
      : view_(view), expected_(expected), task_(task), left_(std::move(left)) {}

  std::vector<Finding> compare(RangeCounts& counts) {
    if (!left_.changed_memory.empty()) add("changed: " + left_.changed_memory);
    for (std::size_t i = 0; i < task_.ranges.size(); ++i) compare_range(i, counts);
    // What ranges may write is as before by now.
    const auto changed = std::ranges::mismatch(left_.output, left_.poison);
    if (changed.in1 != left_.output.end()) {
      add("byte " + std::to_string(changed.in1 - left_.output.begin()) +
          " written outside of all ranges, of " + std::to_string(guard_bytes) + " and the output");
    }
    return std::move(findings_);
  }

private:
  void compare_range(std::size_t number, RangeCounts& counts) {
    const ByteRange& range = task_.ranges[number];
    const std::uint32_t status = left_.statuses[number];
    const std::string name = "range " + std::to_string(number) + " (" + std::to_string(range.bytes) +
                             " bytes from " + std::to_string(range.offset) + "): ";
    ++counts.ranges;
    if (const auto outside = outside_status(range, view_.index.uncompressed_bytes, task_.output_bytes)) {
      if (status == *outside) {
        ++counts.refused_as_outside;
      } else {
        add(name + "status " + std::to_string(status) + ", must be " + std::to_string(*outside));
      }
      return;
    }
    const std::span<std::uint8_t> output =
        std::span(left_.output).subspan(guard_bytes + range.output_offset, range.bytes);
    const std::string breach =
        breach_of_range(view_.header.format, ask(view_, expected_, range), status, output);
    if (!breach.empty()) {
      add(name + breach);
    } else {
      ++(status == 0 ? counts.decoded_alike : counts.refused_alike);
    }
    std::ranges::copy(std::span(left_.poison).subspan(guard_bytes + range.output_offset, range.bytes),
                      output.begin());
  }

  void add(std::string what) { findings_.push_back({.block = std::nullopt, .what = std::move(what)}); }

  const format::FrameView& view_;
  const Expectation& expected_;
  const RangeTask& task_;
  RangesLeft left_;
  std::vector<Finding> findings_;
};

std::optional<Expectation> plan_of_oracle(std::span<const std::uint8_t> frame) {
  try {
    return ask_oracle(frame);
  } catch (const format::FormatError&) {
    return std::nullopt;
  }
}

std::optional<stage::FrameOnDevice> plan_of_host(std::span<const std::uint8_t> frame) {
  try {
    return stage::frame_shape(frame);
  } catch (const format::FormatError&) {
    return std::nullopt;
  }
}

std::vector<Finding> check_frame(std::span<const std::uint8_t> frame,
                                 const std::optional<Expectation>& expected,
                                 const stage::RegisteredStage& stage, stage::Executor executor,
                                 Random& random, RangeCounts& counts) {
  const std::optional<stage::FrameOnDevice> plan = plan_of_host(frame);
  if (plan.has_value() != expected.has_value()) {
    return {{.block = std::nullopt,
             .what = plan ? "the plan accepts a frame that the oracle's refuses"
                          : "the plan refuses a frame that the oracle's accepts"}};
  }
  const stage::RangesPlans& plans = stage.ranges.at(executor);
  ++counts.frames;
  if (!plan || !plans.decodes(plan->format)) {
    ++counts.frames_refused_by_plan;
    return {};
  }
  const format::FrameView view = format::parse_frame(frame);
  const RangeTask task = make_task(view.index.uncompressed_bytes, view.index.entries.size(), random);
  const std::unique_ptr<stage::Plan> of_ranges = plans.make({.frame = *plan,
                                                             .block_bytes = view.header.block_size,
                                                             .range_count = task.ranges.size(),
                                                             .output_bytes = task.output_bytes});
#if GSST_WITH_CUDA
  RangesLeft left = executor == stage::Executor::gpu
                        ? decode_task<cuda::DeviceBuffer>(*of_ranges, executor, frame, task, random)
                        : decode_task<HostBuffer>(*of_ranges, executor, frame, task, random);
#else
  RangesLeft left = decode_task<HostBuffer>(*of_ranges, executor, frame, task, random);
#endif
  return RangeComparison(view, *expected, task, std::move(left)).compare(counts);
}

}  // namespace

RangeCounts& RangeCounts::operator+=(const RangeCounts& other) {
  frames += other.frames;
  frames_refused_by_plan += other.frames_refused_by_plan;
  ranges += other.ranges;
  refused_as_outside += other.refused_as_outside;
  decoded_alike += other.decoded_alike;
  refused_alike += other.refused_alike;
  return *this;
}

std::vector<Finding> check_ranges(const Batch& batch, const stage::RegisteredStage& stage,
                                  stage::Executor executor, Random& random, RangeCounts& counts) {
  if (batch.expected.outputs.empty()) return {};
  try {
    std::vector<Finding> findings = check_frame(batch.frame, batch.expected, stage, executor, random, counts);
    for (unsigned i = 0; findings.empty() && i < changed_frames; ++i) {
      const Bytes changed = change_frame(batch.frame, random);
      findings = check_frame(changed, plan_of_oracle(changed), stage, executor, random, counts);
    }
    return findings;
  } catch (const std::exception& error) {
    return {{.block = std::nullopt, .what = error.what()}};
  }
}

}  // namespace gsst::fuzz
