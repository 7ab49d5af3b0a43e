#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "stages/codag/orc/orc_column.hpp"

/// The metadata of ORC files, on the host.
namespace gsst::codag::orc {

/// What an ORC file begins with.
inline constexpr std::string_view orc_magic = "ORC";

/// Reads which streams a column has, in all stripes, and where its row groups begin. `file` is the whole
/// file, in host memory; `name` is that of a column that is not nested. Streams and positions are checked to
/// be in the file, what they hold is not. Throws OrcError, also for what is not decoded: other types and
/// compressions, encryption, strings without a dictionary.
OrcColumn read_orc_column(std::span<const std::uint8_t> file, const std::string& name);

}  // namespace gsst::codag::orc
