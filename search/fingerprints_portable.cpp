#include "search/fingerprints.hpp"

namespace gsst::search {

const std::uint8_t* find_fingerprint_portable(const Fingerprints& fingerprints, const std::uint8_t* begin,
                                              const std::uint8_t* end) {
  for (; static_cast<std::size_t>(end - begin) >= fingerprints.bytes; ++begin) {
    if (fingerprints.buckets_at(begin) != 0) return begin;
  }
  return end;
}

}  // namespace gsst::search
