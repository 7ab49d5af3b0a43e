#include "library/gpu_search_plan.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "common/format/error.hpp"
#include "common/stage/default_stages.hpp"
#include "common/stage/frame_shape.hpp"
#include "library/failure.hpp"
#include "stages/search/shared/search_on_device.hpp"

namespace gsst::library {
namespace {

// No memory has as many.
constexpr std::uint64_t most_positions = std::uint64_t{1} << 53;

format::FrameView parse_frame_to_search(std::span<const std::uint8_t> frame) {
  format::FrameView view = parse_frame(frame);
  check_format(view.header.format, format::BlockFormat::tiles);
  return view;
}

std::string name_of_pattern(std::size_t pattern) {
  return "pattern " + std::to_string(pattern);
}

void check_pattern_size(std::size_t pattern, std::size_t bytes) {
  if (bytes >= 1 && bytes <= search::kernels::most_pattern_bytes) return;
  throw std::invalid_argument(name_of_pattern(pattern) + ": has " + std::to_string(bytes) +
                              " bytes, expected 1 to " + std::to_string(search::kernels::most_pattern_bytes));
}

}  // namespace

const stage::RegisteredStage& GpuSearchPlan::stage_of(stage::Executor executor) {
  const stage::RegisteredStage* const stage =
      stage::default_stage(format::BlockFormat::tiles, stage::Operation::query, executor);
  if (stage == nullptr) throw std::logic_error("no stage that searches is linked");
  return *stage;
}

int GpuSearchPlan::minimum_compute_capability(stage::Executor executor) {
  return stage_of(executor).description.minimum_compute_capability;
}

GpuSearchPlan::GpuSearchPlan(stage::Executor executor, std::span<const std::uint8_t> frame,
                             std::span<const std::string> patterns, std::uint64_t position_capacity)
    : summary_(summarize(parse_frame_to_search(frame))), position_capacity_(position_capacity) {
  if (!patterns.empty() && position_capacity > most_positions / patterns.size()) {
    throw std::invalid_argument("position_capacity: is " + std::to_string(position_capacity) + " for " +
                                std::to_string(patterns.size()) + " patterns, no memory has as many");
  }
  const stage::FrameOnDevice shape = stage::frame_shape(frame);
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    check_pattern_size(i, patterns[i].size());
    searches_.push_back(stage_of(executor).query.at(executor).make(
        {.frames = {shape},
         .question = patterns[i],
         .output_bytes = position_capacity * sizeof(std::uint64_t)}));
  }
}

std::uint64_t GpuSearchPlan::state_bytes() const {
  std::uint64_t bytes = 0;
  for (const auto& search : searches_) bytes += stage::bytes_of(*search, stage::Role::state);
  return bytes;
}

std::uint64_t GpuSearchPlan::scratch_bytes() const {
  std::uint64_t bytes = 0;
  for (const auto& search : searches_) {
    bytes = std::max(bytes, stage::bytes_of(*search, stage::Role::scratch));
  }
  return bytes;
}

void GpuSearchPlan::prepare(const std::uint8_t* frame, std::uint8_t* state, stage::Stream stream) const {
  std::uint8_t* place = state;
  for (const auto& search : searches_) {
    std::array<stage::Given, 6> given{};
    given[0] = stage::to_read(frame, summary_.compressed_bytes);
    given[3] = {.data = place, .bytes = stage::bytes_of(*search, stage::Role::state)};
    search->prepare(given, stream);
    place += given[3].bytes;
  }
}

void GpuSearchPlan::enqueue(const GpuSearchMemory& memory, stage::Stream stream) const {
  std::uint8_t* state = memory.state;
  for (std::size_t i = 0; i < searches_.size(); ++i) {
    const stage::Plan& search = *searches_[i];
    const std::uint64_t state_bytes = stage::bytes_of(search, stage::Role::state);
    // As QueryPlans lists them.
    const std::array given = {
        stage::to_read(memory.frame, summary_.compressed_bytes),
        stage::Given{.data = memory.positions + i * position_capacity_,
                     .bytes = position_capacity_ * sizeof(std::uint64_t)},
        stage::Given{.data = memory.counts + i, .bytes = sizeof(std::uint64_t)},
        stage::Given{.data = state, .bytes = state_bytes},
        stage::Given{.data = memory.scratch, .bytes = stage::bytes_of(search, stage::Role::scratch)},
        stage::Given{.data = memory.status + i * summary_.block_count,
                     .bytes = summary_.block_count * sizeof(std::uint32_t)}};
    stage::enqueue_all(search, given, stream);
    state += state_bytes;
  }
}

void GpuSearchPlan::check(std::span<const std::uint64_t> counts,
                          std::span<const std::uint32_t> status) const {
  for (std::size_t i = 0; i < searches_.size(); ++i) {
    const stage::Outcome outcome =
        searches_[i]->check(std::as_bytes(status.subspan(i * summary_.block_count, summary_.block_count)),
                            std::as_bytes(counts.subspan(i, 1)), 0);
    if (outcome.problem) {
      const format::FormatError error(outcome.problem->item, outcome.problem->field,
                                      outcome.problem->description);
      throw ApiError(GSST_ERROR_DAMAGED, name_of_pattern(i) + ": " + error.what());
    }
    if (!outcome.is_complete) {
      throw ApiError(GSST_ERROR_OUTPUT_TOO_SMALL, name_of_pattern(i) + ": there are " +
                                                      std::to_string(counts[i]) + " matches, and room for " +
                                                      std::to_string(position_capacity_));
    }
  }
}

}  // namespace gsst::library
