#include "common/format/checksum.hpp"

// Header only, so that a program carries its checksum with it and no shared library is needed beside it.
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace gsst::format {

std::uint64_t checksum(std::span<const std::uint8_t> bytes) {
  return XXH64(bytes.data(), bytes.size(), 0);
}

}  // namespace gsst::format
