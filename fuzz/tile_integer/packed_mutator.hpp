#pragma once

#include "common/format/tile_integer/for_rules.hpp"
#include "fuzz/payload_mutator.hpp"

namespace gsst::fuzz {

/// The mutator of the format with this packing. Most of what it changes is what a decoder must accept though
/// no encoder writes it: any references and bases, wider miniblocks than needed, and runs that could be
/// longer; each of the rest breaks one rule.
const PayloadMutator& packed_mutator(format::tile_integer::Packing packing);

}  // namespace gsst::fuzz
