#pragma once

#include <stdexcept>

namespace gsst::experiments {

/// A codec of another project refused its work or failed; the message names the call and the reason.
class PeerError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

}  // namespace gsst::experiments
