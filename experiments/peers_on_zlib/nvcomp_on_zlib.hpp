#pragma once

#include <vector>

#include "experiments/peers/peer_codec.hpp"

namespace gsst::experiments {

/// nvCOMP's decompressors of Deflate and gzip, through its low-level interface, on streams of zlib at
/// `level`, 0 to 9, which the host makes: `nvcomp_zlib/Deflate`, `nvcomp_zlib/Gzip`. They do not compress on
/// the GPU.
std::vector<PeerCodec> codecs_on_zlib(unsigned level);

}  // namespace gsst::experiments
