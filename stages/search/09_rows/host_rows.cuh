#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "common/stage/launch.hpp"
#include "common/stage/plans_of_stage.hpp"
#include "common/stage/scratch_layout.hpp"
#include "stages/search/09_rows/mark_rows.cuh"
#include "stages/search/shared/host_code_search.cuh"
#include "stages/search/shared/rows_question.hpp"

// Plans of searches that answer with rows. After launch.hpp, which gives the kernels CUDA's words where the
// compiler has none.
namespace gsst::search::kernels {
namespace {

// A search for positions, which stay in scratch memory, and what makes a bitmap of them. The parts are those
// of QueryPlans, and after them
//   borders   input   a number of 8 bytes a row, where in the text it begins, in order, and one for the end
//                     of the last row, aligned to 8
// The answer is the bitmap: row_bitmap_bytes(), with zeros after the last row. Outcome::count is how many
// rows have a bit. With more matches than RowsQuestion::most_matches the outcome is not complete, and its
// count is that of the matches.
class RowsPlan : public stage::Plan {
public:
  // `search` finds the positions of the pattern.
  RowsPlan(const RowsQuestion& question, std::unique_ptr<const stage::Plan> search)
      : question_(question), search_(std::move(search)) {
    const std::span<const stage::Part> parts = search_->parts();
    parts_.assign(parts.begin(), parts.end());
    parts_[answer_part].bytes = row_bitmap_bytes(question_.rows);
    parts_[result_part].bytes = 2 * sizeof(std::uint64_t);
    parts_[scratch_part].bytes = Scratch(nullptr, *search_).bytes;
    parts_.push_back({.name = "borders",
                      .role = Role::input,
                      .bytes = (question_.rows + 1) * sizeof(std::uint64_t),
                      .alignment = 8});
  }

  std::span<const stage::Part> parts() const override { return parts_; }

  void prepare(std::span<const stage::Given> given, stage::Stream stream) const override {
    search_->prepare(of_search(given), stream);
  }

  std::span<const stage::Phase> phases() const override {
    static constexpr std::array phases = {stage::Phase{.name = "search"}, stage::Phase{.name = "rows"}};
    return phases;
  }

  void enqueue(std::span<const stage::Given> given, stage::Stream stream, std::size_t phase) const override {
    const auto searched = of_search(given);
    if (phase == 0) {
      search_->enqueue(searched, stream, 0);
      return;
    }
    auto* const numbers = static_cast<unsigned long long*>(given[result_part].data);
    stage::clear(numbers, sizeof(std::uint64_t), stream);
    stage::clear(given[answer_part].data, parts_[answer_part].bytes, stream);
    stage::launch(
        {.thread_blocks = most_thread_blocks,
         .threads_per_block = threads,
         .shared_bytes = 0,
         .stream = stream},
        mark_rows,
        RowsOnDevice{.borders = static_cast<const std::uint64_t*>(given[borders_part].data),
                     .rows = question_.rows,
                     .match_count = numbers + 1,
                     .positions = static_cast<const unsigned long long*>(searched[answer_part].data),
                     .capacity = question_.most_matches,
                     .pattern_bytes = static_cast<std::uint32_t>(question_.pattern.size()),
                     .match = question_.match,
                     .bitmap = static_cast<unsigned*>(given[answer_part].data),
                     .marked = numbers});
  }

  stage::Outcome check(std::span<const std::byte> status, std::span<const std::byte> result,
                       std::uint64_t first) const override {
    stage::Outcome outcome = search_->check(status, result.subspan(sizeof(std::uint64_t)), first);
    if (outcome.is_complete) std::memcpy(&outcome.count, result.data(), sizeof(std::uint64_t));
    return outcome;
  }

private:
  static constexpr std::size_t answer_part = 1;
  static constexpr std::size_t result_part = 2;
  static constexpr std::size_t scratch_part = 4;
  static constexpr std::size_t borders_part = 6;
  static constexpr unsigned threads = 256;
  // Where matches are few, most thread blocks have none. On the CPU each thread takes time.
  static constexpr unsigned most_thread_blocks = stage::this_executor == stage::Executor::simt ? 2 : 1024;

  struct Scratch {
    Scratch(void* memory, const stage::Plan& search) {
      stage::ScratchLayout layout(static_cast<std::uint8_t*>(memory));
      const std::span<const stage::Part> parts = search.parts();
      positions = layout.take<std::uint8_t>(parts[answer_part].bytes);
      of_search = layout.take<std::uint8_t>(parts[scratch_part].bytes);
      bytes = layout.bytes();
    }

    std::uint8_t* positions;
    std::uint8_t* of_search;
    std::uint64_t bytes;
  };

  // The memory of the search, which counts matches after the number of rows.
  std::array<stage::Given, borders_part> of_search(std::span<const stage::Given> given) const {
    const Scratch scratch(given[scratch_part].data, *search_);
    const std::span<const stage::Part> parts = search_->parts();
    return {
        given[0],
        {.data = scratch.positions, .bytes = parts[answer_part].bytes},
        {.data = static_cast<std::uint64_t*>(given[result_part].data) + 1, .bytes = sizeof(std::uint64_t)},
        given[3],
        {.data = scratch.of_search, .bytes = parts[scratch_part].bytes},
        given[5]};
  }

  const RowsQuestion question_;
  const std::unique_ptr<const stage::Plan> search_;
  std::vector<stage::Part> parts_;
};

// The plans of a stage that answers with rows where it is asked for them, and else with positions.
template <typename Kernels>
stage::QueryPlans rows_plans(const stage::Description& description) {
  return {.reads = [](format::BlockFormat format) { return format == format::BlockFormat::tiles; },
          .make = [&description](const stage::QuerySubject& subject) -> std::unique_ptr<stage::Plan> {
            std::optional<RowsQuestion> question;
            try {
              question = read_rows_question(subject.question);
            } catch (const std::invalid_argument& error) {
              refuse_search(description, error.what());
            }
            if (!question) return std::make_unique<CodeSearchPlan<Kernels>>(description, subject);
            // More would not be numbers of bytes.
            constexpr std::uint64_t most = std::uint64_t{1} << 48;
            if (question->most_matches == 0 || question->most_matches > most || question->rows > most) {
              refuse_search(description, "a search of rows has room for 1 to 2^48 matches, of as many rows");
            }
            if (subject.output_bytes < row_bitmap_bytes(question->rows)) {
              refuse_search(description,
                            "the bitmap has " + std::to_string(row_bitmap_bytes(question->rows)) +
                                " bytes, and there is room for " + std::to_string(subject.output_bytes));
            }
            stage::QuerySubject search = subject;
            search.question = question->pattern;
            search.output_bytes = question->most_matches * sizeof(std::uint64_t);
            return std::make_unique<RowsPlan>(
                *question, std::make_unique<const CodeSearchPlan<Kernels>>(description, search));
          }};
}

}  // namespace
}  // namespace gsst::search::kernels
