#pragma once

#include <cstddef>
#include <cstdint>

/// The first look at a text in which words are sought: short pieces of the words, compared for many places of
/// the text at once. No function here has a body that files share which are compiled for different
/// processors.
namespace gsst::search {

/// Most bytes of a fingerprint.
inline constexpr std::size_t most_fingerprint_bytes = 3;

/// Pieces of words, all of the same size. Words are in eight buckets, each of which is a bit.
struct Fingerprints {
  /// 1 to most_fingerprint_bytes.
  std::size_t bytes;
  /// By place in the piece and byte there: the buckets that have such a word. Places past the piece's end:
  /// all.
  std::uint8_t buckets[most_fingerprint_bytes][256];
  /// The same for all bytes with these lower, or upper, four bits.
  alignas(16) std::uint8_t of_low_bits[most_fingerprint_bytes][16];
  alignas(16) std::uint8_t of_high_bits[most_fingerprint_bytes][16];

  /// The buckets of which a piece may be at `text`. Reads `bytes` bytes.
  [[gnu::always_inline]] std::uint8_t buckets_at(const std::uint8_t* text) const {
    std::uint8_t found = 0xff;
    for (std::size_t place = 0; place < bytes; ++place) found &= buckets[place][text[place]];
    return found;
  }
};

/// The first place from `begin` on where buckets_at() is not 0 and a whole piece is before `end`; `end` if
/// there is none.
using FindFingerprint = const std::uint8_t*(const Fingerprints& fingerprints, const std::uint8_t* begin,
                                            const std::uint8_t* end);

/// In C++ alone.
FindFingerprint find_fingerprint_portable;
#if defined(__x86_64__)
/// AVX2. A processor without it must not call this.
FindFingerprint find_fingerprint_avx2;
#endif

/// The fastest that this processor can run. Asked once.
FindFingerprint* fastest_find_fingerprint();

}  // namespace gsst::search
