#include "common/stage/block_statuses.hpp"

#include <cstring>
#include <string>
#include <utility>

namespace gsst::stage {
namespace {

const char* describe(BlockStatus status) {
  switch (status) {
    case BlockStatus::decoded:
      return "";
    case BlockStatus::output_too_short:
      return "decode to fewer bytes than stated";
    case BlockStatus::output_too_long:
      return "decode to more bytes than stated";
    case BlockStatus::escape_at_end:
      return "the last code is an escape with no byte after it";
    case BlockStatus::code_without_symbol:
      return "a code has no symbol in the table";
    case BlockStatus::escape_missing:
      return "a split starts with an escaped byte, but the one before does not end with an escape";
    case BlockStatus::wrong_checksum:
      return "is not that of the decompressed bytes";
  }
  return "unknown status";
}

}  // namespace

Problem problem_of_block(std::uint32_t word, std::uint64_t block) {
  const BlockStatus status = block_status(word);
  const std::optional<std::uint32_t> strip = wrong_strip(word);
  const std::string field = status == BlockStatus::wrong_checksum ? "checksum"
                            : strip                               ? "codes of strip " + std::to_string(*strip)
                                                                  : "codes";
  return {.item = block, .field = field, .description = describe(status)};
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
