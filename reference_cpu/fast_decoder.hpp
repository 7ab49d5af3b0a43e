#pragma once

#include <cstdint>
#include <span>

#include "common/format/gsst/symbol_table.hpp"
#include "reference_cpu/decoder.hpp"

namespace gsst::reference {

/// As decode(): the same result for every input, eight codes at a time, on whichever of the paths below suits
/// the processor.
DecodeProblem decode_fast(const format::SymbolTable& table, std::span<const std::uint8_t> codes,
                          std::span<std::uint8_t> output);

/// The path for any processor.
DecodeProblem decode_fast_portable(const format::SymbolTable& table, std::span<const std::uint8_t> codes,
                                   std::span<std::uint8_t> output);

#if defined(__x86_64__)
/// The path for x86-64 processors with SSSE3: all made since 2008, but not the baseline that compilers
/// assume.
DecodeProblem decode_fast_ssse3(const format::SymbolTable& table, std::span<const std::uint8_t> codes,
                                std::span<std::uint8_t> output);
#endif

}  // namespace gsst::reference
