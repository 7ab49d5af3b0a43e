#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace gsst::cli {

/// Bytes of a file that numpy_type() needs at most: the header of an array that has no named fields is
/// shorter.
inline constexpr std::size_t numpy_header_bytes = 4096;

/// What the header of an array file of numpy says of its values: `<i4` for little-endian int32. `first_bytes`
/// are the first bytes of a file, numpy_header_bytes of them where it has as many. Nothing where it is no
/// such file. Of a header that says no single type the text is empty. Source: numpy.lib.format, versions 1.0
/// to 3.0 of the format.
std::optional<std::string> numpy_type(std::span<const std::uint8_t> first_bytes);

/// The option --type of values that numpy calls `numpy_type`: `i32` for `<i4`. Nothing for values that are
/// not integers, or big-endian.
std::optional<std::string> value_type_name(const std::string& numpy_type);

}  // namespace gsst::cli
