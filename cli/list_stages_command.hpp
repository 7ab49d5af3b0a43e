#pragma once

#include <string>

namespace gsst::cli {

/// The stages of this build, as a sentence or as a JSON list. No stage is part of it.
std::string list_stages(bool json);

}  // namespace gsst::cli
