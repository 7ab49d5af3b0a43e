#pragma once

#include "stages/tile_integer/shared/cpu_payload.hpp"

/// Blocks of format `for` (FORMAT.md, section 12.1), decoded with each instruction set.
namespace gsst::tile_integer::cpu {

/// C++ alone, with code for each width.
DecodeBlock decode_packed_blocks_words;
#if defined(__x86_64__)
/// AVX-512 F, BW, VL and VBMI2.
DecodeBlock decode_packed_blocks_avx512;
#endif

}  // namespace gsst::tile_integer::cpu
