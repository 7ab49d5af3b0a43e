#pragma once

#include <string_view>

#include "common/stage/stage.hpp"

namespace gsst::cli {

/// Whether a line of a stages/<series>/defaults.txt says that, on the CPU, the default stage of the format
/// with this name runs in place of the reference codec: its output is the same, and it is faster. `operation`
/// is decode or encode. CMake makes the function of these files.
bool runs_in_place_of_codec(std::string_view format, stage::Operation operation);

}  // namespace gsst::cli
