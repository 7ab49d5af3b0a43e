#include "fuzz/kernels/device_frame_check.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <exception>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include "common/format/formats.hpp"
#include "common/frame/checksum.hpp"
#include "common/frame/frame.hpp"
#include "fuzz/kernels/frame_changes.hpp"
#include "fuzz/kernels/guards.hpp"
#include "library/device_frame_oracle.hpp"

namespace gsst::fuzz {
namespace {

using Bytes = std::vector<std::uint8_t>;

// More than a batch's frame has.
constexpr std::uint64_t most_output_bytes = std::uint64_t{1} << 25;
// A thread works on each piece of each block that there may be: of larger blocks checksums are not compared.
constexpr std::uint64_t most_compared_block_bytes = 1 << 16;
// A changed frame that says that it has more splits for each of the original's is left out: so many threads
// would look for them.
constexpr std::uint32_t most_times_the_splits = 4;

struct FrameLeft {
  // The output between guards, and what all of it held before.
  Bytes output;
  Bytes poison;
  std::vector<std::uint32_t> statuses;
  frame::FrameResult result{};
  std::string changed_memory;
};

template <typename Buffer>
FrameLeft decode_frame_in(const library::DeviceFramePlan& plan, std::span<const std::uint8_t> frame,
                          const DeviceFrameDecoder& decoder, Random& random) {
  const frame::FrameBounds& bounds = plan.bounds();
  const std::size_t frame_offset = random.one_in(2) ? 0 : random.below(128);
  Bytes frame_bytes(frame_offset, noise);
  frame_bytes.insert(frame_bytes.end(), frame.begin(), frame.end());
  const std::uint64_t size = frame.size();
  Bytes size_bytes(sizeof size);
  std::memcpy(size_bytes.data(), &size, sizeof size);
  FrameLeft left;
  left.poison = make_poison(bounds.output_bytes + 2 * guard_bytes, random.byte());
  Buffer frame_memory(frame_bytes);
  Buffer size_memory(size_bytes);
  Buffer output(left.poison);
  Buffer scratch(between_guards(plan.scratch_bytes()));
  Buffer statuses(between_guards(bounds.block_count * sizeof(std::uint32_t)));
  Buffer result(between_guards(sizeof(frame::FrameResult)));
  decoder(plan, {.frame = frame_memory.data() + frame_offset,
                 .frame_bytes = reinterpret_cast<const std::uint64_t*>(size_memory.data()),
                 .output = output.data() + guard_bytes,
                 .scratch = scratch.data() + guard_bytes,
                 .status = reinterpret_cast<std::uint32_t*>(statuses.data() + guard_bytes),
                 .result = reinterpret_cast<frame::FrameResult*>(result.data() + guard_bytes)});
  left.output = output.to_host();
  const Bytes words = statuses.to_host();
  left.statuses.resize(bounds.block_count);
  std::memcpy(left.statuses.data(), words.data() + guard_bytes, left.statuses.size() * sizeof(std::uint32_t));
  const Bytes result_bytes = result.to_host();
  std::memcpy(&left.result, result_bytes.data() + guard_bytes, sizeof left.result);
  if (frame_memory.to_host() != frame_bytes) left.changed_memory = "the frame";
  if (size_memory.to_host() != size_bytes) left.changed_memory = "the frame's size";
  if (!guards_stand(words)) left.changed_memory = "the words around the statuses";
  if (!guards_stand(result_bytes)) left.changed_memory = "the bytes around the result";
  if (!guards_stand(scratch.to_host())) left.changed_memory = "the bytes around the scratch memory";
  return left;
}

FrameLeft decode(const library::DeviceFramePlan& plan, std::span<const std::uint8_t> frame,
                 stage::Executor executor, const DeviceFrameDecoder& decoder, Random& random) {
#if GSST_WITH_CUDA
  if (executor == stage::Executor::gpu) {
    return decode_frame_in<cuda::DeviceBuffer>(plan, frame, decoder, random);
  }
#else
  static_cast<void>(executor);
#endif
  return decode_frame_in<HostBuffer>(plan, frame, decoder, random);
}

class FrameComparison {
public:
  FrameComparison(stage::Executor executor, std::span<const std::uint8_t> frame,
                  const frame::FrameBounds& bounds, bool compares_checksums, FrameLeft left)
      : executor_(executor),
        frame_(frame),
        bounds_(bounds),
        compares_checksums_(compares_checksums),
        left_(std::move(left)) {}

  // `expected`: of a frame that the host accepts, if it is known.
  std::vector<Finding> compare(const Expectation* expected, DeviceFrameCounts& counts) {
    ++counts.frames;
    if (!left_.changed_memory.empty()) add(std::nullopt, "changed: " + left_.changed_memory);
    const auto host = library::refusal_of_host(executor_, frame_);
    const std::string difference =
        host && is_refused_for_format_of_another_series()
            ? ""
            : library::difference(host, library::refusal_of_device(left_.result, left_.statuses));
    if (!difference.empty()) {
      add(std::nullopt, difference);
      return std::move(findings_);
    }
    if (host) {
      compare_refused();
      if (findings_.empty()) ++counts.frames_refused_alike;
    } else {
      compare_blocks(expected == nullptr ? ask_oracle(frame_) : *expected, counts);
    }
    return std::move(findings_);
  }

private:
  // The host's reader knows the formats of all series and may refuse such a frame by their rules; the
  // library's check knows one series, and nothing of a frame matters to it after another's format.
  bool is_refused_for_format_of_another_series() const {
    if (left_.result.problem != frame::FrameProblem::format_id) return false;
    // Byte 10 of a frame's header on (FORMAT.md, section 6).
    const auto format =
        static_cast<format::BlockFormat>(library::stored_number<std::uint16_t>(frame_, 10, 0, 0xffff, 0));
    return format::find_format(format) && !library::checks_frames_of(format);
  }

  void compare_refused() {
    // Where only a block was refused, the others are decoded.
    const bool has_output = left_.result.problem == frame::FrameProblem::none;
    expect_untouched(0, guard_bytes);
    expect_untouched(guard_bytes + (has_output ? left_.result.output_bytes : 0), left_.poison.size());
  }

  void compare_blocks(const Expectation& expected, DeviceFrameCounts& counts) {
    const format::FrameView view = format::parse_frame(frame_);
    if (left_.result.output_bytes != view.index.uncompressed_bytes ||
        left_.result.block_count != view.index.entries.size()) {
      add(std::nullopt, "another size or number of blocks than the frame's");
      return;
    }
    for (std::size_t block = 0; block < view.index.entries.size(); ++block) {
      compare_block(view.index.entries[block], block, expected.outputs[block], counts);
    }
    for (std::size_t block = view.index.entries.size(); block < left_.statuses.size(); ++block) {
      if (left_.statuses[block] != 0) add(block, "a status, and there is no such block");
    }
    expect_untouched(0, guard_bytes);
    expect_untouched(guard_bytes + view.index.uncompressed_bytes, left_.poison.size());
  }

  void compare_block(const format::IndexEntry& entry, std::size_t block, const std::optional<Bytes>& expected,
                     DeviceFrameCounts& counts) {
    const std::uint32_t status = left_.statuses[block];
    if (!expected) {
      const stage::BlockStatus problem = stage::block_status(status);
      if (problem > stage::BlockStatus::decoded && problem <= stage::BlockStatus::escape_missing) {
        ++counts.refused_alike;
      } else {
        add(block, "status " + std::to_string(status) + ", the oracle refuses the block");
      }
      return;
    }
    const bool is_right = !compares_checksums_ ||
                          format::checksum(entry.record.checksum_kind, *expected) == entry.record.checksum;
    const std::uint32_t right_status =
        is_right ? 0 : static_cast<std::uint32_t>(stage::BlockStatus::wrong_checksum);
    const auto output = std::span(left_.output).subspan(guard_bytes + entry.uncompressed_offset);
    if (status != right_status) {
      add(block, "status " + std::to_string(status) + ", must be " + std::to_string(right_status));
    } else if (!std::ranges::equal(output.first(expected->size()), *expected)) {
      add(block, "other bytes than the oracle's");
    } else {
      ++counts.decoded_alike;
      if (!is_right) ++counts.wrong_checksums;
    }
  }

  void expect_untouched(std::size_t begin, std::size_t end) {
    const auto now = std::span(left_.output).subspan(begin, end - begin);
    if (!std::ranges::equal(now, std::span(left_.poison).subspan(begin, end - begin))) {
      add(std::nullopt, "written outside of the blocks' output, which is of " +
                            std::to_string(bounds_.output_bytes) + " bytes");
    }
  }

  void add(std::optional<std::size_t> block, std::string what) {
    findings_.push_back({.block = std::nullopt,
                         .what = (block ? "block " + std::to_string(*block) + ": " : "") + std::move(what)});
  }

  stage::Executor executor_;
  std::span<const std::uint8_t> frame_;
  frame::FrameBounds bounds_;
  bool compares_checksums_;
  FrameLeft left_;
  std::vector<Finding> findings_;
};

}  // namespace

DeviceFrameCounts& DeviceFrameCounts::operator+=(const DeviceFrameCounts& other) {
  frames += other.frames;
  frames_refused_alike += other.frames_refused_alike;
  decoded_alike += other.decoded_alike;
  wrong_checksums += other.wrong_checksums;
  refused_alike += other.refused_alike;
  return *this;
}

DeviceFrameDecoder device_frame_decoder(stage::Executor executor) {
  return [executor](const library::DeviceFramePlan& plan, const library::DeviceFrameMemory& memory) {
    plan.enqueue(memory, nullptr);
    wait_for(executor);
  };
}

std::vector<Finding> check_device_frame(std::span<const std::uint8_t> frame, const Expectation* expected,
                                        stage::Executor executor, const DeviceFrameDecoder& decoder,
                                        Random& random, DeviceFrameCounts& counts) {
  const frame::FrameBounds bounds = library::bounds_said_by(frame, most_output_bytes);
  const bool compares_checksums = bounds.block_bytes <= most_compared_block_bytes;
  const library::DeviceFramePlan plan(executor, bounds, compares_checksums);
  FrameLeft left = decode(plan, frame, executor, decoder, random);
  return FrameComparison(executor, frame, bounds, compares_checksums, std::move(left))
      .compare(expected, counts);
}

std::vector<Finding> check_device_frames(const Batch& batch, stage::Executor executor,
                                         const DeviceFrameDecoder& decoder, Random& random,
                                         DeviceFrameCounts& counts) {
  if (batch.expected.outputs.empty()) return {};
  const std::uint32_t splits = library::bounds_said_by(batch.frame, most_output_bytes).split_count;
  try {
    std::vector<Finding> findings =
        check_device_frame(batch.frame, &batch.expected, executor, decoder, random, counts);
    for (unsigned i = 0; findings.empty() && i < changed_frames; ++i) {
      const Bytes changed = change_frame(batch.frame, random);
      if (library::bounds_said_by(changed, most_output_bytes).split_count > most_times_the_splits * splits) {
        continue;
      }
      findings = check_device_frame(changed, nullptr, executor, decoder, random, counts);
    }
    return findings;
  } catch (const std::exception& error) {
    return {{.block = std::nullopt, .what = error.what()}};
  }
}

}  // namespace gsst::fuzz
