#pragma once

#include <cstdint>
#include <span>

#include "common/format/symbol_table.hpp"
#include "reference_cpu/decoder.hpp"

namespace gsst::reference {

/// As decode(): the same result for every input, eight codes at a time.
DecodeProblem decode_fast(const format::SymbolTable& table, std::span<const std::uint8_t> codes,
                          std::span<std::uint8_t> output);

}  // namespace gsst::reference
