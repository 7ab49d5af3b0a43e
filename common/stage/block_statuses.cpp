#include "common/stage/block_statuses.hpp"

#include <cstring>
#include <utility>

#include "common/format/formats.hpp"

namespace gsst::stage {
namespace {

constexpr auto wrong_checksum = static_cast<std::uint32_t>(BlockStatus::wrong_checksum);

Problem in_words(const format::StatusText& text, std::uint64_t block) {
  return {.item = block, .field = text.field, .description = text.problem};
}

}  // namespace

Problem problem_of_checksum(std::uint64_t block) {
  return in_words(format::describe_status(wrong_checksum), block);
}

Problem problem_of_block(format::BlockFormat format, std::uint32_t word, std::uint64_t block) {
  if (word == wrong_checksum) return problem_of_checksum(block);
  return in_words(format::rules_of(format).describe(word), block);
}

std::optional<Problem> first_problem(format::BlockFormat format, std::span<const std::byte> words,
                                     std::uint64_t first) {
  std::uint32_t word = 0;
  for (std::size_t block = 0; (block + 1) * sizeof word <= words.size(); ++block) {
    std::memcpy(&word, words.data() + block * sizeof word, sizeof word);
    if (word != 0) return problem_of_block(format, word, first + block);
  }
  return std::nullopt;
}

Outcome outcome_of_blocks(const FrameOnDevice& frame, std::span<const std::byte> words, std::uint64_t first) {
  std::optional<Problem> problem = first_problem(frame.format, words, first);
  const bool is_complete = !problem;
  return {.count = is_complete ? frame.uncompressed_bytes : 0,
          .is_complete = is_complete,
          .problem = std::move(problem)};
}

}  // namespace gsst::stage
