#include "common/format/block_status.hpp"

namespace gsst::format {
namespace {

const char* problem_of(BlockStatus status) {
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

StatusText describe_status(std::uint32_t word) {
  const BlockStatus status = block_status(word);
  if (status == BlockStatus::wrong_checksum) return {.field = "checksum", .problem = problem_of(status)};
  const std::optional<std::uint32_t> strip = wrong_strip(word);
  return {.field = strip ? "codes of strip " + std::to_string(*strip) : "codes",
          .problem = problem_of(status)};
}

}  // namespace gsst::format
