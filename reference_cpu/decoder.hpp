#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "common/format/gsst/symbol_table.hpp"

namespace gsst::reference {

/// Why codes could not be decoded.
enum class DecodeProblem {
  none,
  code_without_symbol,
  escape_at_end,
  output_too_long,
  output_too_short,
};

/// What is wrong with the codes, as a sentence for messages; empty for `none`.
const char* describe(DecodeProblem problem);

/// Decodes `codes` into exactly `output` (FORMAT.md, section 3), one code at a time, in the order of the
/// specification. Never writes outside `output`; after a problem its contents are unspecified.
DecodeProblem decode(const format::SymbolTable& table, std::span<const std::uint8_t> codes,
                     std::span<std::uint8_t> output);

/// Bytes that `codes` decode to: what fsst files do not store. `problem` tells of a code without symbol or an
/// escape at the end, where counting stops.
struct DecodedSize {
  std::uint64_t bytes;
  DecodeProblem problem;
};
DecodedSize decoded_size(const format::SymbolTable& table, std::span<const std::uint8_t> codes);

}  // namespace gsst::reference
