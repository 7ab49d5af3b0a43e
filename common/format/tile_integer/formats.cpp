#include "common/format/formats.hpp"

#include <array>

#include "common/format/tile_integer/bit_packing.hpp"
#include "common/format/tile_integer/delta_nsf.hpp"
#include "common/format/tile_integer/delta_nsf_rules.hpp"
#include "common/format/tile_integer/dict_rules.hpp"
#include "common/format/tile_integer/for_rules.hpp"
#include "common/format/tile_integer/layouts.hpp"
#include "common/format/tile_integer/nsf_rules.hpp"
#include "common/format/tile_integer/nsv_rules.hpp"
#include "common/format/tile_integer/null_suppression.hpp"
#include "common/format/tile_integer/rle_rules.hpp"
#include "common/format/tile_integer/run_lengths.hpp"
#include "common/format/tile_integer/tile_integer.hpp"
#include "common/format/tile_integer/value_dictionary.hpp"
#include "common/format/tile_integer/variable_bytes.hpp"

namespace gsst::format {
namespace tile_integer {
namespace {

constexpr std::array<Format, 13> formats = {{
    {.id = for_format, .name = "for", .rules = &for_rules},
    {.id = dfor_format, .name = "dfor", .rules = &dfor_rules},
    {.id = rfor_format, .name = "rfor", .rules = &rfor_rules},
    {.id = ifor_format, .name = "ifor", .rules = &ifor_rules},
    {.id = vfor_format, .name = "vfor", .rules = &vfor_rules},
    {.id = ofor_format, .name = "ofor", .rules = &ofor_rules},
    {.id = nsf_format, .name = "nsf", .rules = &nsf_rules},
    {.id = bp_format, .name = "bp", .rules = &bp_rules},
    {.id = rle_format, .name = "rle", .rules = &rle_rules},
    {.id = rle_nsf_format, .name = "rle_nsf", .rules = &rle_nsf_rules},
    {.id = nsv_format, .name = "nsv", .rules = &nsv_rules},
    {.id = dict_format, .name = "dict", .rules = &dict_rules},
    {.id = delta_nsf_format, .name = "delta_nsf", .rules = &delta_nsf_rules},
}};

}  // namespace
}  // namespace tile_integer

std::span<const Format> formats_of_tile_integer() {
  return tile_integer::formats;
}

}  // namespace gsst::format
