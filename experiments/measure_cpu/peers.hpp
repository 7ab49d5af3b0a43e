#pragma once

#include <string>
#include <vector>

#include "experiments/measure_cpu/codec.hpp"

namespace gsst::experiments {

/// Each is built only where its library was found; peers() knows which.
std::vector<Codec> lz4_codecs();
std::vector<Codec> zstd_codecs();
std::vector<Codec> snappy_codecs();
std::vector<Codec> brotli_codecs();
std::vector<Codec> zlib_codecs();
std::vector<Codec> bzip2_codecs();
std::vector<Codec> lzma_codecs();
std::vector<Codec> libdeflate_codecs();

/// A library that others' compressors come from.
struct Peer {
  /// As in `peer/NAME` and in "missing codec: NAME".
  std::string name;
  /// Its levels; null where the library was not found when this program was built.
  std::vector<Codec> (*codecs)();
};

/// Every peer, also the missing ones, in the order of the rows.
const std::vector<Peer>& peers();

}  // namespace gsst::experiments
