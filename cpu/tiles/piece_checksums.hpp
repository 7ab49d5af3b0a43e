#pragma once

#include <cstddef>
#include <cstdint>

namespace gsst::cpu::tiles {

/// Bytes of a piece: format::checksum_piece_bytes.
inline constexpr std::size_t piece_bytes = 4096;
/// Pieces whose checksums are computed together.
inline constexpr std::size_t pieces_at_once = 8;

#if defined(__x86_64__)
/// The xxh64 with seed 0 of each of `pieces` pieces, a multiple of pieces_at_once, stored consecutively at
/// `bytes`. Host memory, at any address. For processors with AVX-512 F and DQ.
void checksum_pieces_avx512(const std::uint8_t* bytes, std::size_t pieces, std::uint64_t* checksums);
#endif

}  // namespace gsst::cpu::tiles
