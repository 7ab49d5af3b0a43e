#pragma once

#include <vector>

#include "experiments/peers/peer_codec.hpp"

namespace gsst::experiments {

/// The codecs of nvCOMP that are measured, each with the library's default options for bytes: first all
/// through the high-level interface, then all through the low-level one. Needs no GPU.
std::vector<PeerCodec> nvcomp_codecs();

/// The version of nvCOMP that the program was built with: `5.2.0.13`.
const char* nvcomp_version();

}  // namespace gsst::experiments
