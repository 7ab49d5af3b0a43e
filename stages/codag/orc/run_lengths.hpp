#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "stages/codag/orc/orc_column.hpp"

/// The run lengths of ORC's streams without their compression, decoded by the oracle.
namespace gsst::codag::orc {

/// `count` bytes, taken for signed numbers only where the caller narrows them. Throws OrcError naming
/// `place`, also if the stream holds more or fewer.
std::vector<std::int64_t> byte_values(std::span<const std::uint8_t> stream, std::uint64_t count,
                                      const std::string& place);

/// `count` integers coded by `coding`, which is not OrcCoding::bytes. Unsigned ones of 2^63 and more come out
/// negative. Throws as byte_values() does.
std::vector<std::int64_t> integer_values(std::span<const std::uint8_t> stream, OrcCoding coding,
                                         bool is_signed, std::uint64_t count, const std::string& place);

}  // namespace gsst::codag::orc
