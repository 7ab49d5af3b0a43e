#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include "cpu/tiles/piece_checksums.hpp"

// xxh64 takes 32 bytes of a piece at a time, a word for each of four sums. A vector has the sums of two
// pieces, and four vectors are enough that none waits for its own multiplications.
namespace gsst::cpu::tiles {
namespace {

constexpr std::uint64_t prime_1 = 0x9E3779B185EBCA87;
constexpr std::uint64_t prime_2 = 0xC2B2AE3D27D4EB4F;
constexpr std::uint64_t prime_3 = 0x165667B19E3779F9;
constexpr std::uint64_t prime_4 = 0x85EBCA77C2B2AE63;

constexpr std::size_t stripe_bytes = 32;
constexpr std::size_t vectors = pieces_at_once / 2;

std::uint64_t rotate_left(std::uint64_t value, unsigned bits) {
  return value << bits | value >> (64 - bits);
}

// From the four sums over a piece of whole stripes.
std::uint64_t join_sums(const std::uint64_t* sums) {
  std::uint64_t hash =
      rotate_left(sums[0], 1) + rotate_left(sums[1], 7) + rotate_left(sums[2], 12) + rotate_left(sums[3], 18);
  for (std::size_t i = 0; i < 4; ++i) {
    hash = (hash ^ rotate_left(sums[i] * prime_2, 31) * prime_1) * prime_1 + prime_4;
  }
  hash += piece_bytes;
  hash = (hash ^ hash >> 33) * prime_2;
  hash = (hash ^ hash >> 29) * prime_3;
  return hash ^ hash >> 32;
}

__m512i load_stripes(const std::uint8_t* of_first_piece) {
  const auto* const first = reinterpret_cast<const __m256i*>(of_first_piece);
  const auto* const second = reinterpret_cast<const __m256i*>(of_first_piece + piece_bytes);
  return _mm512_inserti64x4(_mm512_castsi256_si512(_mm256_loadu_si256(first)), _mm256_loadu_si256(second), 1);
}

}  // namespace

void checksum_pieces_avx512(const std::uint8_t* bytes, std::size_t pieces, std::uint64_t* checksums) {
  const __m512i times_1 = _mm512_set1_epi64(static_cast<long long>(prime_1));
  const __m512i times_2 = _mm512_set1_epi64(static_cast<long long>(prime_2));
  const std::uint64_t sum_of_primes = prime_1 + prime_2;
  const auto sum_1 = static_cast<long long>(sum_of_primes);
  const auto sum_2 = static_cast<long long>(prime_2);
  const auto sum_4 = static_cast<long long>(-prime_1);
  const __m512i start = _mm512_setr_epi64(sum_1, sum_2, 0, sum_4, sum_1, sum_2, 0, sum_4);
  for (std::size_t piece = 0; piece < pieces; piece += pieces_at_once) {
    const std::uint8_t* const begin = bytes + piece * piece_bytes;
    __m512i sums[vectors] = {start, start, start, start};
    for (std::size_t stripe = 0; stripe < piece_bytes; stripe += stripe_bytes) {
#pragma GCC unroll 4
      for (std::size_t i = 0; i < vectors; ++i) {
        const __m512i words = load_stripes(begin + 2 * i * piece_bytes + stripe);
        const __m512i sum = _mm512_add_epi64(sums[i], _mm512_mullo_epi64(words, times_2));
        sums[i] = _mm512_mullo_epi64(_mm512_rol_epi64(sum, 31), times_1);
      }
    }
    for (std::size_t i = 0; i < vectors; ++i) {
      alignas(64) std::uint64_t of_two[8];
      _mm512_store_si512(of_two, sums[i]);
      checksums[piece + 2 * i] = join_sums(of_two);
      checksums[piece + 2 * i + 1] = join_sums(of_two + 4);
    }
  }
}

}  // namespace gsst::cpu::tiles
