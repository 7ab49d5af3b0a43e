#pragma once

#include <cstddef>
#include <vector>

#include "experiments/peers/peer_codec.hpp"

namespace gsst::experiments {

/// Bytes of a number of the columns that nvCOMP's cascades are measured on.
inline constexpr std::size_t number_bytes_of_cascades = 4;

/// nvCOMP's codec Cascaded through its low-level interface, for columns of numbers of 32 bits, once for each
/// cascade that the tile-based paper's section 9.4 names, and for those of more layers. All rows are of stage
/// `nvcomp_integers/Cascaded`; the variant names the layers as the paper does: `RLE+FOR+BitPack`. Needs no
/// GPU.
std::vector<PeerCodec> nvcomp_cascades();

/// The version of nvCOMP that the program was built with: `5.2.0.13`.
const char* nvcomp_version_of_cascades();

}  // namespace gsst::experiments
