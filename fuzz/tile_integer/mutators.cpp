#include <array>
#include <span>

#include "common/format/tile_integer/bit_packing.hpp"
#include "common/format/tile_integer/for_rules.hpp"
#include "common/format/tile_integer/null_suppression.hpp"
#include "common/format/tile_integer/tile_integer.hpp"
#include "fuzz/payload_mutator.hpp"
#include "fuzz/tile_integer/nsf_mutator.hpp"
#include "fuzz/tile_integer/packed_mutator.hpp"

/// The mutators of series tile_integer.
namespace gsst::fuzz {

std::span<const FormatMutator> mutators_of_tile_integer() {
  using format::tile_integer::Packing;
  static const std::array<FormatMutator, 6> tile_integer_mutators = {
      {{.format = format::tile_integer::for_format, .mutator = &packed_mutator(Packing::values)},
       {.format = format::tile_integer::dfor_format, .mutator = &packed_mutator(Packing::chains)},
       {.format = format::tile_integer::rfor_format, .mutator = &packed_mutator(Packing::runs)},
       {.format = format::tile_integer::ifor_format, .mutator = &packed_mutator(Packing::interleaved)},
       {.format = format::tile_integer::bp_format, .mutator = &packed_mutator(Packing::bits)},
       {.format = format::tile_integer::nsf_format, .mutator = &nsf_mutator()}}};
  return tile_integer_mutators;
}

}  // namespace gsst::fuzz
