#pragma once

#include <cstdint>

#include "cpu/tiles/strip_decoders.hpp"

namespace gsst::cpu::tiles {

/// How far a strip has been decoded.
struct StripCursor {
  /// Where the next byte goes.
  std::uint8_t* output;
  /// Bits of a first half that wait for the next code of the strip; 0 if none do.
  std::uint64_t first_half;
};

/// Decodes codes `begin` to `end` of a strip in the order of the specification, each of which is checked: for
/// what groups of codes do not do. Never writes at or after `output_end`. Returns false at a code whose
/// symbol does not fit.
bool decode_code_by_code(const CodeTable& table, const StripCodes& strip, std::uint32_t begin,
                         std::uint32_t end, StripCursor& cursor, const std::uint8_t* output_end);

}  // namespace gsst::cpu::tiles
