#pragma once

#include "stages/tile_integer/shared/cpu_payload.hpp"

/// Blocks of format `dfor` (FORMAT.md, section 12.2), decoded with each instruction set.
namespace gsst::tile_integer::cpu {

/// C++ alone, with code for each width.
DecodeBlock decode_chains_words;
#if defined(__x86_64__)
/// AVX-512 F, BW, VL and VBMI2.
DecodeBlock decode_chains_avx512;
#endif

namespace {

constexpr std::size_t blocks_of_chain = 4;

}  // namespace
}  // namespace gsst::tile_integer::cpu
