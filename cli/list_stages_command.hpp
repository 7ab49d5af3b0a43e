#pragma once

#include <string>

namespace gsst::cli {

/// The stages of this build, a line each or as a JSON list.
std::string list_stages(bool json);

}  // namespace gsst::cli
