#pragma once

#include <nvcomp.h>

namespace gsst::experiments {

/// Throws PeerError naming `what` and nvCOMP's reason if `status` is not success.
void check_nvcomp(nvcompStatus_t status, const char* what);

}  // namespace gsst::experiments
