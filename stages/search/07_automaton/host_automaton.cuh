#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "common/format/gsst/tiles.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/plans_of_stage.hpp"
#include "stages/search/07_automaton/byte_automaton.hpp"
#include "stages/search/07_automaton/kernel.cuh"
#include "stages/search/07_automaton/raw_lines.cuh"
#include "stages/search/shared/host_search.cuh"

// Plans of searches by an automaton. After launch.hpp, which gives the kernels CUDA's words where the
// compiler has none.
namespace gsst::search::kernels {
namespace {

// As that of the other stages, whose plans have kernels that this one does not need.
const stage::Parameter warps_parameter = {.name = "warps",
                                          .description = "warps of a thread block; 0: 28 (on the CPU 3)",
                                          .values = {0, 1, 2, 8, 16, 24, 28},
                                          .default_value = 0,
                                          .compile_time = false};

// The same, asked for a pattern: SearchPlan knows no other questions, and this one's pattern is not looked
// for.
inline stage::QuerySubject with_pattern(stage::QuerySubject subject) {
  if (is_automaton(subject.question)) subject.question = "\n";
  return subject;
}

// The automaton that a question, a string or an automaton itself, asks for. Throws std::invalid_argument,
// which names the stage.
inline ByteAutomaton asked_automaton(const stage::Description& description, const std::string& question) {
  try {
    if (is_automaton(question)) return automaton_of_question(question);
    return automaton_of_string(
        std::span(reinterpret_cast<const std::uint8_t*>(question.data()), question.size()));
  } catch (const std::invalid_argument& error) {
    refuse_search(description, error.what());
  }
}

// The question is a string, as for other stages, or question_of() an automaton.
class AutomatonPlan : public SearchPlan {
public:
  // `description` outlives the plan. Throws std::invalid_argument, which names the stage.
  AutomatonPlan(const stage::Description& description, const stage::QuerySubject& subject)
      : SearchPlan(description, with_pattern(subject), most_window_bytes, counter_bytes(subject)),
        automaton_(asked_automaton(description, subject.question)),
        parts_(SearchPlan::parts().begin(), SearchPlan::parts().end()),
        automaton_offset_(parts_[3].bytes) {
    // A multiple of the alignment of its pieces, so that another one may follow.
    parts_[3].bytes += sizeof(ByteAutomaton);
    auto warps =
        static_cast<unsigned>(stage::parameter_value(description, subject.parameters, warps_parameter.name));
    // The CPU executor runs a warp that finds no piece at the price of one that does.
    if (warps == 0) warps = stage::this_executor == stage::Executor::simt ? 3 : most_threads / 32;
    threads_ = 32 * warps;
    plan_shapes(std::integral_constant<std::uint32_t, 8>());
    plan_shapes(std::integral_constant<std::uint32_t, 10>());
    plan_shapes(std::integral_constant<std::uint32_t, 12>());
  }

  std::span<const stage::Part> parts() const override { return parts_; }

  void prepare(std::span<const stage::Given> given, stage::Stream stream) const override {
    SearchPlan::prepare(given, stream);
    stage::copy_to_executor(automaton_in(given), std::span(&automaton_, 1), stream);
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
    const ByteAutomaton* const automaton = automaton_in(given);
    const bool is_aligned = reinterpret_cast<std::uintptr_t>(search.frame) % format::tiles_alignment == 0;
    for (const Launch& one : launches_) {
      stage::launch({.thread_blocks = one.thread_blocks,
                     .threads_per_block = threads_,
                     .shared_bytes = one.shared_bytes,
                     .stream = stream},
                    is_aligned ? one.aligned : one.any, search, automaton);
    }
    if (!frame_.has_raw_blocks) return;
    stage::launch({.thread_blocks = std::min(frame_.block_count, 1024u),
                   .threads_per_block = 256,
                   .shared_bytes = 0,
                   .stream = stream},
                  search_raw_by_automaton, search, automaton);
  }

  stage::Outcome check(std::span<const std::byte> status, std::span<const std::byte> result,
                       std::uint64_t first) const override {
    std::uint32_t word = 0;
    for (std::size_t block = 0; (block + 1) * sizeof word <= status.size(); ++block) {
      std::memcpy(&word, status.data() + block * sizeof word, sizeof word);
      if ((word & 0xff) != unknown_state_status) continue;
      return {.problem = stage::Problem{
                  .item = first + block,
                  .field = "codes of strip " + std::to_string(*format::wrong_strip(word)),
                  .description = "are not searched: what a line of more than " +
                                 std::to_string(most_read_back) + " bytes begins with may matter"}};
    }
    return SearchPlan::check(status, result, first);
  }

private:
  using Kernel = void (*)(SearchOnDevice, const ByteAutomaton*);

  struct Launch {
    Kernel aligned;
    Kernel any;
    std::size_t shared_bytes;
    unsigned thread_blocks;
  };

  // A counter for each segment, of which there are no more than blocks.
  static std::uint64_t counter_bytes(const stage::QuerySubject& subject) {
    return subject.frames.empty() ? 0 : std::uint64_t{subject.frames[0].block_count} * sizeof(unsigned);
  }

  ByteAutomaton* automaton_in(std::span<const stage::Given> given) const {
    return reinterpret_cast<ByteAutomaton*>(static_cast<std::uint8_t*>(given[3].data) + automaton_offset_);
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
    const std::size_t shared_bytes = automaton_bytes<CodeBits>;
    if (shared_bytes > stage::max_shared_bytes()) {
      refuse_search(description_, std::to_string(CodeBits) + "-bit codes need " +
                                      std::to_string(shared_bytes) +
                                      " bytes of shared memory; a thread block has " +
                                      std::to_string(stage::max_shared_bytes()));
    }
    const Kernel aligned = search_by_automaton<CodeBits, CodesPerLane, true>;
    launches_.push_back({.aligned = aligned,
                         .any = search_by_automaton<CodeBits, CodesPerLane, false>,
                         .shared_bytes = shared_bytes,
                         .thread_blocks = stage::resident_thread_blocks(threads_, shared_bytes, aligned)});
  }

  const ByteAutomaton automaton_;
  std::vector<stage::Part> parts_;
  // In the state, behind what SearchPlan has there.
  const std::uint64_t automaton_offset_;
  unsigned threads_;
  std::vector<Launch> launches_;
};

}  // namespace
}  // namespace gsst::search::kernels
