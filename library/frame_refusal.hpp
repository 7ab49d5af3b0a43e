#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "common/frame/frame_check.hpp"
#include "gsst/gsst.h"

/// How the library reports frames that were refused in an executor's memory.
namespace gsst::library {

/// The field's name, as format::FormatError has it; for what has a number there, the name without the number.
/// "unknown" for a number that is no problem.
const char* field_of(frame::FrameProblem problem);

/// What a refused frame is reported as.
gsst_error error_of(frame::FrameProblem problem);

/// A line of text that names the field, and the block if there is one.
std::string describe(frame::FrameProblem problem, std::optional<std::uint64_t> block);

/// Throws ApiError naming `block` if its status word says that it, or its frame, was refused.
void check_not_refused(std::uint32_t word, std::uint64_t block);

}  // namespace gsst::library
