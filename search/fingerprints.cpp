#include "search/fingerprints.hpp"

#include "cpu/tiles/instruction_sets.hpp"

namespace gsst::search {

FindFingerprint* fastest_find_fingerprint() {
#if defined(__x86_64__)
  static const bool has_avx2 = cpu::tiles::runs_avx2();
  if (has_avx2) return find_fingerprint_avx2;
#endif
  return find_fingerprint_portable;
}

}  // namespace gsst::search
