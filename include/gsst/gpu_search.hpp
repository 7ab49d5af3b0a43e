#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gsst/gpu.hpp"
#include "gsst/gpu_search.h"
#include "gsst/search.hpp"

/// @file
/// Searching a frame that is in device memory in C++20, over the C functions of gpu_search.h: what is said
/// there holds here too. Frames and the spans of a SearchMemory are of device memory, all others of host
/// memory.

namespace gsst::gpu {

/// How to search on a GPU; see gsst_gpu_search_options.
struct SearchOptions {
  /// Positions of each pattern that there is room for; 0: matches are counted only.
  std::uint64_t position_capacity = 0;
};

/// Memory that a search needs.
using SearchSizes = gsst_gpu_search_sizes;

/// Device memory for one search; see gsst_gpu_search_memory.
struct SearchMemory {
  /// The bytes that were planned, at any address.
  std::span<const std::byte> frame;
  /// At least SearchSizes::count_count words, aligned to 8. Receives how many matches each pattern has.
  std::span<std::uint64_t> counts;
  /// At least SearchSizes::position_count words, aligned to 8. Receives where matches begin, in no order.
  std::span<std::uint64_t> positions;
  /// That of the last SearchPlan::prepare(). Not written.
  std::span<std::byte> state;
  /// At least SearchSizes::scratch_bytes, aligned to GSST_GPU_SEARCH_ALIGNMENT.
  std::span<std::byte> scratch;
  /// At least SearchSizes::status_count words. Receives one for each block and pattern.
  std::span<std::uint32_t> status;
};

/// A frame in device memory, and what is looked for in it.
class SearchPlan {
public:
  /// Plans the search of `frame`, the whole frame and nothing more, for each of `patterns`, which are
  /// substrings. Waits for `stream`. Errors: gsst_gpu_search_plan_create().
  static Result<SearchPlan> create(std::span<const std::byte> frame, std::span<const Pattern> patterns,
                                   const SearchOptions& options, cudaStream_t stream) {
    std::vector<gsst_pattern> c_patterns;
    c_patterns.reserve(patterns.size());
    for (const Pattern& pattern : patterns) {
      c_patterns.push_back({.bytes = pattern.text.data(),
                            .size = pattern.text.size(),
                            .kind = static_cast<std::uint32_t>(pattern.kind),
                            .reserved = 0});
    }
    auto c_options = detail::sized<gsst_gpu_search_options>();
    c_options.position_capacity = options.position_capacity;
    gsst_gpu_search_plan* plan = nullptr;
    gsst_message message;
    const gsst_error error =
        gsst_gpu_search_plan_create(frame.data(), frame.size(), c_patterns.data(), c_patterns.size(),
                                    &c_options, stream, &plan, &message);
    if (error != GSST_OK) return detail::failure(error, message);
    return SearchPlan(plan);
  }

  /// The same for one pattern.
  static Result<SearchPlan> create(std::span<const std::byte> frame, const Pattern& pattern,
                                   const SearchOptions& options, cudaStream_t stream) {
    return create(frame, std::span(&pattern, 1), options, stream);
  }

  /// How much memory the search needs. Not for a plan that was moved from.
  SearchSizes sizes() const {
    auto sizes = detail::sized<SearchSizes>();
    gsst_gpu_search_plan_sizes(plan_.get(), &sizes);
    return sizes;
  }

  /// Fills `state`, device memory, for the executions with it. Waits for `stream`. Errors:
  /// gsst_gpu_search_prepare().
  Result<Enqueued> prepare(std::span<const std::byte> frame, std::span<std::byte> state,
                           cudaStream_t stream) {
    gsst_message message;
    return detail::enqueued(gsst_gpu_search_prepare(plan_.get(), frame.data(), frame.size(), state.data(),
                                                    state.size(), stream, &message),
                            message);
  }

  /// Enqueues the search on `stream`. Errors: gsst_gpu_search_execute().
  Result<Enqueued> execute(const SearchMemory& memory, cudaStream_t stream) const {
    const gsst_gpu_search_memory c_memory{.struct_bytes = sizeof(gsst_gpu_search_memory),
                                          .reserved = 0,
                                          .frame = memory.frame.data(),
                                          .frame_bytes = memory.frame.size(),
                                          .counts = memory.counts.data(),
                                          .count_capacity = memory.counts.size(),
                                          .positions = memory.positions.data(),
                                          .position_capacity = memory.positions.size(),
                                          .state = memory.state.data(),
                                          .state_capacity = memory.state.size(),
                                          .scratch = memory.scratch.data(),
                                          .scratch_capacity = memory.scratch.size(),
                                          .status = memory.status.data(),
                                          .status_capacity = memory.status.size()};
    gsst_message message;
    return detail::enqueued(gsst_gpu_search_execute(plan_.get(), &c_memory, stream, &message), message);
  }

  /// Looks for blocks that were not searched and for positions that are missing, in copies in host memory of
  /// what an execution wrote. Returns the number of patterns, all searched. Errors: gsst_gpu_search_check().
  Result<std::size_t> check(std::span<const std::uint64_t> counts,
                            std::span<const std::uint32_t> status) const {
    gsst_message message;
    const gsst_error error = gsst_gpu_search_check(plan_.get(), counts.data(), counts.size(), status.data(),
                                                   status.size(), &message);
    if (error != GSST_OK) return detail::failure(error, message);
    return counts.size();
  }

private:
  struct Destroy {
    void operator()(gsst_gpu_search_plan* plan) const { gsst_gpu_search_plan_destroy(plan); }
  };

  explicit SearchPlan(gsst_gpu_search_plan* plan) : plan_(plan) {}

  std::unique_ptr<gsst_gpu_search_plan, Destroy> plan_;
};

}  // namespace gsst::gpu
