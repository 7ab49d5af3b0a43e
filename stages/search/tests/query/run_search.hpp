#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/stage/frame_shape.hpp"
#include "common/stage/plan.hpp"
#include "common/stage/registry.hpp"
#include "common/stage/run_memory.hpp"
#include "stages/suite/stage_case.hpp"
#include "stages/suite/test_sample.hpp"

/// For tests: searches frames by a stage, on any executor.
namespace gsst::search::kernels {

using SearchedText = std::vector<std::uint8_t>;
using FoundPositions = std::vector<std::uint64_t>;

struct SearchResult {
  /// As many as the answer has room for and the outcome counts, in order.
  FoundPositions positions;
  stage::Outcome outcome;
  /// Whether bytes around the plan's memory, or after the positions that were found, were changed.
  bool has_left_memory = false;
};

/// Memory with noise in it, between guard bytes.
template <typename Buffer>
class SearchMemory {
public:
  explicit SearchMemory(std::uint64_t bytes) : bytes_(bytes), buffer_(bytes + 2 * guard_bytes) {
    buffer_.fill(noise);
  }
  stage::Given given() { return {.data = buffer_.data() + guard_bytes, .bytes = bytes_}; }
  /// Copies what it holds to the host, once: each copy waits for the GPU.
  void read_back() { all_ = buffer_.to_host(); }
  std::vector<std::uint8_t> content() const { return {all_.begin() + guard_bytes, all_.end() - guard_bytes}; }
  /// Whether a byte in front, or after the first `used` bytes, is not noise.
  bool is_left(std::uint64_t used) const {
    const auto is_noise = [](std::uint8_t byte) { return byte == noise; };
    const auto begin = all_.begin() + guard_bytes;
    return !std::all_of(all_.begin(), begin, is_noise) ||
           !std::all_of(begin + static_cast<std::ptrdiff_t>(used), all_.end(), is_noise);
  }

private:
  // A state's parts are aligned to it.
  static constexpr std::size_t guard_bytes = 256;
  static constexpr std::uint8_t noise = 0xcd;

  std::uint64_t bytes_;
  Buffer buffer_;
  std::vector<std::uint8_t> all_;
};

/// Host memory at multiples of 256, as a GPU's is.
class AlignedHostBuffer {
public:
  explicit AlignedHostBuffer(std::size_t size) : memory_(new (alignment) std::uint8_t[size]), size_(size) {}
  explicit AlignedHostBuffer(const std::vector<std::uint8_t>& bytes) : AlignedHostBuffer(bytes.size()) {
    std::ranges::copy(bytes, memory_.get());
  }

  std::uint8_t* data() { return memory_.get(); }
  void fill(std::uint8_t value) { std::ranges::fill(std::span(memory_.get(), size_), value); }
  std::vector<std::uint8_t> to_host() const { return {memory_.get(), memory_.get() + size_}; }

private:
  static constexpr std::align_val_t alignment{256};
  struct Delete {
    void operator()(std::uint8_t* memory) const { ::operator delete[](memory, alignment); }
  };

  std::unique_ptr<std::uint8_t[], Delete> memory_;
  std::size_t size_;
};

template <typename Buffer>
SearchResult run_search_in(const stage::Plan& plan, stage::Executor executor, const SearchedText& frame,
                           std::size_t shift) {
  Buffer input(stage::shifted(frame, shift));
  std::vector<stage::Given> given = {stage::to_read(input.data() + shift, frame.size())};
  std::vector<SearchMemory<Buffer>> memory;
  memory.reserve(plan.parts().size());
  for (const stage::Part& part : plan.parts().subspan(1)) {
    memory.emplace_back(part.bytes);
    given.push_back(memory.back().given());
  }
  plan.prepare(given, nullptr);
  stage::enqueue_all(plan, given, nullptr);
  // What an execution leaves must not matter to the next one, which shows a tool nothing new.
  if (gsst::test::test_sample().is_whole()) stage::enqueue_all(plan, given, nullptr);
  stage::wait_for(executor);
  for (SearchMemory<Buffer>& part : memory) part.read_back();
  const std::vector<std::uint8_t> answer = memory[0].content();
  const std::vector<std::uint8_t> result = memory[1].content();
  const std::vector<std::uint8_t> status = memory[4].content();
  SearchResult found = {
      .positions = {},
      .outcome = plan.check(std::as_bytes(std::span(status)), std::as_bytes(std::span(result)), 0)};
  const std::size_t room = answer.size() / sizeof(std::uint64_t);
  if (found.outcome.is_complete && room != 0) {
    found.positions.resize(found.outcome.count);
    if (found.outcome.count != 0) std::memcpy(found.positions.data(), answer.data(), found.outcome.count * 8);
    found.has_left_memory = memory[0].is_left(found.outcome.count * sizeof(std::uint64_t));
    std::ranges::sort(found.positions);
  }
  for (std::size_t part = 0; part < memory.size(); ++part) {
    found.has_left_memory |= memory[part].is_left(plan.parts()[part + 1].bytes);
  }
  return found;
}

/// Searches `frame`, at an address `shift` above a multiple of 256, for `pattern`: positions where there is
/// room for any, and their number. Throws as QueryPlans::make() does.
inline SearchResult run_search(const stage::StageCase& stage_case, const SearchedText& frame,
                               const SearchedText& pattern, std::uint64_t room, std::size_t shift = 0,
                               const stage::ParameterValues& parameters = {}) {
  const std::unique_ptr<stage::Plan> plan = stage::find_stage(stage_case.stage, stage::Operation::query)
                                                ->query.at(stage_case.executor)
                                                .make({.frames = {stage::frame_shape(frame)},
                                                       .question = {pattern.begin(), pattern.end()},
                                                       .output_bytes = room * sizeof(std::uint64_t),
                                                       .parameters = parameters});
#if GSST_WITH_CUDA
  if (stage_case.executor == stage::Executor::gpu) {
    return run_search_in<cuda::DeviceBuffer>(*plan, stage_case.executor, frame, shift);
  }
#endif
  return run_search_in<AlignedHostBuffer>(*plan, stage_case.executor, frame, shift);
}

/// All places of `text` where `pattern`, not empty, begins.
inline FoundPositions positions_in_text(const SearchedText& text, const SearchedText& pattern) {
  FoundPositions positions;
  const std::uint8_t* from = text.data();
  const std::uint8_t* const end = from + text.size();
  while (from != end) {
    const void* const place =
        ::memmem(from, static_cast<std::size_t>(end - from), pattern.data(), pattern.size());
    if (place == nullptr) break;
    from = static_cast<const std::uint8_t*>(place);
    positions.push_back(static_cast<std::uint64_t>(from - text.data()));
    ++from;
  }
  return positions;
}

}  // namespace gsst::search::kernels
