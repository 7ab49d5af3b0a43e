#pragma once

#include "common/format/block_format.hpp"

namespace gsst::cpu {

/// What the command and the library compress to where nobody names a format, on the CPU and on a GPU. The
/// functions of reference_cpu have a default of their own, that of the thesis: studies take it.
inline constexpr format::BlockFormat default_format = format::BlockFormat::tiles;

}  // namespace gsst::cpu
