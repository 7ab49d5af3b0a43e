#include "library/frame_refusal.hpp"

#include "library/failure.hpp"
#include "stages/gsst/shared/payload_problem.hpp"

namespace gsst::library {

using frame::FrameProblem;

namespace {

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

const char* field_of(FrameProblem problem) {
  return problem < FrameProblem::first_of_payloads
             ? frame::field_name(problem)
             : stage::field_name(static_cast<stage::PayloadProblem>(problem));
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
  return place + field_of(problem) + ": " + what_is_wrong(problem);
}

void check_not_refused(std::uint32_t word, std::uint64_t block) {
  if ((word & 0xff) == frame::refused_frame_status) {
    throw ApiError(GSST_ERROR_DAMAGED, "block " + std::to_string(block) + ": the frame was refused");
  }
  if ((word & 0xff) == frame::refused_block_status) {
    const FrameProblem problem = frame::problem_of_refused_block(word);
    throw ApiError(error_of(problem), describe(problem, block));
  }
}

}  // namespace gsst::library
