#include "library/frame_problem.hpp"

#include <array>
#include <cstddef>

namespace gsst::library {
namespace {

constexpr auto problem_count = static_cast<std::size_t>(FrameProblem::count);

constexpr std::array<const char*, problem_count> field_names = {
    "none",
    "frame bytes",
    "format id",
    "splits per block",
    "block size",
    "index block count",
    "index uncompressed bytes",
    "magic",
    "frame header",
    "frame version",
    "frame header checksum",
    "flags",
    "checksum kind",
    "format id",
    "block size",
    "splits per block",
    "frame",
    "trailer magic",
    "trailer frame bytes",
    "trailer index bytes",
    "index record kind",
    "record header",
    "index record layout",
    "index record uncompressed bytes",
    "index size",
    "index checksum",
    "index block count",
    "index entry record kind",
    "layout",
    "uncompressed bytes",
    "payload bytes",
    "index entry uncompressed bytes",
    "index entry payload offset",
    "index entry uncompressed offset",
    "index uncompressed bytes",
    "record kind",
    "index entry",
    "index end of blocks",
    "raw block size",
    "padding",
    "block header",
    "block size",
    "uncompressed size",
    "number of splits",
    "split locations",
    "split location",
    "symbol table",
    "version word",
    "zero-terminated flag",
    "length histogram",
    "symbols",
    "code bits",
    "codes per lane",
    "tiles per strip",
    "escape-free flag",
    "dictionary id",
    "length of class",
    "code count",
    "strip offset",
};
static_assert(field_names.back() != nullptr);

const char* what_is_wrong(FrameProblem problem) {
  switch (problem) {
    case FrameProblem::frame_bytes_bound:
    case FrameProblem::block_size_bound:
    case FrameProblem::block_count_bound:
    case FrameProblem::output_bound:
      return "is above the bound that was planned";
    case FrameProblem::other_format:
    case FrameProblem::other_split_count:
      return "is not the one that was planned";
    case FrameProblem::magic:
      return "this is not a gsst frame";
    default:
      return "is not what the format allows";
  }
}

}  // namespace

const char* field_name(FrameProblem problem) {
  const auto number = static_cast<std::size_t>(problem);
  return number < problem_count ? field_names.at(number) : "unknown";
}

gsst_error error_of(FrameProblem problem) {
  switch (problem) {
    case FrameProblem::none:
      return GSST_OK;
    case FrameProblem::frame_bytes_bound:
    case FrameProblem::other_split_count:
    case FrameProblem::block_size_bound:
    case FrameProblem::block_count_bound:
      return GSST_ERROR_INVALID_ARGUMENT;
    case FrameProblem::output_bound:
      return GSST_ERROR_OUTPUT_TOO_SMALL;
    case FrameProblem::other_format:
    case FrameProblem::magic:
      return GSST_ERROR_WRONG_FORMAT;
    case FrameProblem::frame_version:
    case FrameProblem::format_id:
      return GSST_ERROR_UNSUPPORTED_VERSION;
    case FrameProblem::frame_header_checksum:
    case FrameProblem::index_checksum:
      return GSST_ERROR_WRONG_CHECKSUM;
    default:
      return GSST_ERROR_DAMAGED;
  }
}

std::string describe(FrameProblem problem, std::optional<std::uint64_t> block) {
  const std::string place = block ? "block " + std::to_string(*block) + ": " : std::string();
  return place + field_name(problem) + ": " + what_is_wrong(problem);
}

}  // namespace gsst::library
