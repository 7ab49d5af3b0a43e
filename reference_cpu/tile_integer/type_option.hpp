#pragma once

#include <array>
#include <string_view>

#include "common/format/encoding.hpp"
#include "common/format/tile_integer/tile_integer.hpp"
#include "reference_cpu/codec.hpp"

/// What there is to choose of all formats of the series.
namespace gsst::reference::tile_integer {

/// In the order of the types' numbers.
inline constexpr std::array<std::string_view, format::tile_integer::type_count> type_names = {
    format::tile_integer::type_shapes[0].name, format::tile_integer::type_shapes[1].name,
    format::tile_integer::type_shapes[2].name, format::tile_integer::type_shapes[3].name,
    format::tile_integer::type_shapes[4].name, format::tile_integer::type_shapes[5].name,
};

/// As --help lists them.
inline constexpr std::array<CodecOption, 1> type_options = {{
    {.name = "type",
     .help = "The values of the input, little-endian: i8, i16, i32\n"
             "(default), u32, i64 or u64; for formats for, dfor, rfor, ifor.\n"
             "Array files of numpy (.npy) say it themselves",
     .names = type_names},
}};

/// The type that `options` say, i32 where they say none.
format::tile_integer::Type type_of(const format::CodecOptions& options);

}  // namespace gsst::reference::tile_integer
