#include "experiments/peers/nvcomp_status.hpp"

#include <string>

#include "experiments/peers/peer_error.hpp"

namespace gsst::experiments {

void check_nvcomp(nvcompStatus_t status, const char* what) {
  if (status == nvcompSuccess) return;
  throw PeerError(std::string("nvCOMP: ") + what + ": " + nvcompGetStatusString(status) + " (" +
                  std::to_string(status) + ")");
}

}  // namespace gsst::experiments
