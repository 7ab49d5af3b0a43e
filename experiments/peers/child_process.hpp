#pragma once

#include <functional>
#include <nlohmann/json.hpp>

namespace gsst::experiments {

/// What `work` returns, run in a process of its own: a crash, an abort or a CUDA context that an error has
/// spoilt ends with it. The calling process must not have used CUDA, which does not survive a fork. Throws
/// PeerError with what `work` threw, or with the signal that ended it.
nlohmann::ordered_json run_in_child(const std::function<nlohmann::ordered_json()>& work);

}  // namespace gsst::experiments
