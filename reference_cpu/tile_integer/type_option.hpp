#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "common/format/encoding.hpp"
#include "common/format/tile_integer/tile_integer.hpp"
#include "reference_cpu/codec.hpp"

/// What there is to choose of the formats of the series.
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
             "(default), u32, i64 or u64; for formats for, dfor, rfor, ifor,\n"
             "vfor, ofor.\n"
             "Array files of numpy (.npy) say it themselves",
     .names = type_names},
}};

/// The type that `options` say, i32 where they say none.
format::tile_integer::Type type_of(const format::CodecOptions& options);

inline constexpr std::array<std::uint64_t, 4> value_sizes = {1, 2, 4, 8};

/// What there is to choose of formats that have no use for the order of values, which are what the series'
/// own are compared with. They have no type: `auto` takes no format without one.
inline constexpr std::array<CodecOption, 1> value_bytes_options = {{
    {.name = "value-bytes",
     .help = "Bytes of a value of the input, little-endian: 1, 2, 4\n"
             "(default) or 8; for formats nsf, bp, rle, rle_nsf, nsv,\n"
             "dict and delta_nsf",
     .values = value_sizes},
}};

/// A type of the size that `options` say, of 4 bytes where they say none.
format::tile_integer::Type type_of_size(const format::CodecOptions& options);

}  // namespace gsst::reference::tile_integer
