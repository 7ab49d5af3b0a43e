#include "common/stage/block_statuses.hpp"

#include <cstring>
#include <utility>

namespace gsst::stage {
Problem problem_of_block(std::uint32_t word, std::uint64_t block) {
  const format::StatusText text = format::describe_status(word);
  return {.item = block, .field = text.field, .description = text.problem};
}

std::optional<Problem> first_problem(std::span<const std::byte> words, std::uint64_t first) {
  std::uint32_t word = 0;
  for (std::size_t block = 0; (block + 1) * sizeof word <= words.size(); ++block) {
    std::memcpy(&word, words.data() + block * sizeof word, sizeof word);
    if (word != 0) return problem_of_block(word, first + block);
  }
  return std::nullopt;
}

Outcome outcome_of_blocks(std::span<const std::byte> words, std::uint64_t first, std::uint64_t output_bytes) {
  std::optional<Problem> problem = first_problem(words, first);
  const bool is_complete = !problem;
  return {.count = is_complete ? output_bytes : 0, .is_complete = is_complete, .problem = std::move(problem)};
}

}  // namespace gsst::stage
