#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "common/format/gsst/tiles.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/plans_of_stage.hpp"
#include "stages/search/shared/host_search.cuh"
#include "stages/search/shared/raw_blocks.cuh"

// Plans of stages that search codes. After launch.hpp, which gives the kernels CUDA's words where the
// compiler has none.
namespace gsst::search::kernels {
namespace {

using SearchKernel = void (*)(SearchOnDevice);

// How a stage searches tiles of one shape.
struct CodeKernel {
  // For a frame at a multiple of 16, and for any.
  SearchKernel aligned = nullptr;
  SearchKernel any = nullptr;
  std::size_t bytes_of_block = 0;
  std::size_t bytes_of_warp = 0;
};

const stage::Parameter warps_parameter = {.name = "warps",
                                          .description = "warps of a thread block; 0: 28 (on the CPU 3)",
                                          .values = {0, 1, 2, 8, 16, 24, 28},
                                          .default_value = 0,
                                          .compile_time = false};

// `Kernels` has `static CodeKernel of<code bits, codes per lane>()`.
template <typename Kernels>
class CodeSearchPlan : public SearchPlan {
public:
  // `description` outlives the plan. Throws std::invalid_argument, which names the stage.
  CodeSearchPlan(const stage::Description& description, const stage::QuerySubject& subject)
      : SearchPlan(description, subject, most_window_bytes, counter_bytes(subject)) {
    auto warps =
        static_cast<unsigned>(stage::parameter_value(description, subject.parameters, warps_parameter.name));
    // The CPU executor runs a warp that finds no piece at the price of one that does.
    if (warps == 0) warps = stage::this_executor == stage::Executor::simt ? 3 : kernels::most_threads / 32;
    threads_ = 32 * warps;
    plan_shapes(std::integral_constant<std::uint32_t, 8>());
    plan_shapes(std::integral_constant<std::uint32_t, 10>());
    plan_shapes(std::integral_constant<std::uint32_t, 12>());
  }

  std::span<const stage::Phase> phases() const override {
    static constexpr std::array phases = {stage::Phase{.name = "search"}};
    return phases;
  }

  void enqueue(std::span<const stage::Given> given, stage::Stream stream,
               std::size_t /*phase*/) const override {
    SearchOnDevice search = search_in(given);
    search.next_pieces = static_cast<unsigned*>(given[4].data);
    stage::clear(search.answer.count, sizeof(std::uint64_t), stream);
    // A grid of no blocks is an error in CUDA.
    if (frame_.block_count == 0) return;
    stage::clear(search.statuses, std::uint64_t{frame_.block_count} * sizeof(std::uint32_t), stream);
    stage::clear(search.next_pieces, parts()[4].bytes, stream);
    const bool is_aligned = reinterpret_cast<std::uintptr_t>(search.frame) % format::tiles_alignment == 0;
    for (const Launch& one : launches_) {
      stage::launch({.thread_blocks = one.thread_blocks,
                     .threads_per_block = threads_,
                     .shared_bytes = one.shared_bytes,
                     .stream = stream},
                    is_aligned ? one.kernel.aligned : one.kernel.any, search);
    }
    if (!frame_.has_raw_blocks) return;
    stage::launch({.thread_blocks = std::min(frame_.block_count, 1024u),
                   .threads_per_block = 256,
                   .shared_bytes = 0,
                   .stream = stream},
                  search_raw_blocks, search);
  }

private:
  struct Launch {
    CodeKernel kernel;
    std::size_t shared_bytes;
    unsigned thread_blocks;
  };

  // A counter for each segment, of which there are no more than blocks.
  static std::uint64_t counter_bytes(const stage::QuerySubject& subject) {
    return subject.frames.empty() ? 0 : std::uint64_t{subject.frames[0].block_count} * sizeof(unsigned);
  }

  template <std::uint32_t CodeBits>
  void plan_shapes(std::integral_constant<std::uint32_t, CodeBits> /*code_bits*/) {
    plan_shape<CodeBits, 16>();
    plan_shape<CodeBits, 24>();
    plan_shape<CodeBits, 32>();
  }

  template <std::uint32_t CodeBits, std::uint32_t CodesPerLane>
  void plan_shape() {
    const format::TileShape shape{.code_bits = CodeBits, .codes_per_lane = CodesPerLane};
    if ((frame_.payload_traits & format::tile_shape_bit(shape)) == 0) return;
    const CodeKernel kernel = Kernels::template of<CodeBits, CodesPerLane>();
    const std::size_t shared_bytes = kernel.bytes_of_block + threads_ / 32 * kernel.bytes_of_warp;
    if (shared_bytes > stage::max_shared_bytes()) {
      refuse_search(description_, std::to_string(CodeBits) + "-bit codes need " +
                                      std::to_string(shared_bytes) +
                                      " bytes of shared memory; a thread block has " +
                                      std::to_string(stage::max_shared_bytes()));
    }
    launches_.push_back(
        {.kernel = kernel,
         .shared_bytes = shared_bytes,
         .thread_blocks = stage::resident_thread_blocks(threads_, shared_bytes, kernel.aligned)});
  }

  unsigned threads_;
  std::vector<Launch> launches_;
};

// The plans of a stage.
template <typename Kernels>
stage::QueryPlans code_search_plans(const stage::Description& description) {
  return {.reads = [](format::BlockFormat format) { return format == format::BlockFormat::tiles; },
          .make = [&description](const stage::QuerySubject& subject) -> std::unique_ptr<stage::Plan> {
            return std::make_unique<CodeSearchPlan<Kernels>>(description, subject);
          }};
}

}  // namespace
}  // namespace gsst::search::kernels
