#pragma once

#include <functional>
#include <string>

namespace gsst::experiments {

/// What `work` returns, run in a process of its own: a crash, an abort or a CUDA context that an error has
/// spoilt ends with it. The calling process must not have used CUDA, which does not survive a fork. Throws
/// PeerError with what `work` threw, or with the signal that ended it.
std::string run_in_child(const std::function<std::string()>& work);

}  // namespace gsst::experiments
