#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "common/format/tile_integer/tile_integer.hpp"

/// What is around the packed blocks or run blocks of a payload, its units: header, starts, rest and padding
/// (FORMAT.md, section 12.1).
namespace gsst::reference::tile_integer {

/// Appends unit `number`, which is for `values`, at least one, extended to 64 bits as their type says. Called
/// in order.
using AppendUnit = std::function<void(std::vector<std::uint8_t>& payload, std::size_t number,
                                      std::span<const std::uint64_t> values)>;

/// The payload of a block of values of `type`, `unit_values` a unit, with its padding.
std::vector<std::uint8_t> encode_units(std::span<const std::uint8_t> block, format::tile_integer::Type type,
                                       std::uint32_t unit_values, const AppendUnit& append);

/// Decodes the first `values.size()` values, whose lowest bytes count, of unit `number`, which starts at
/// `bytes`. Called in order.
using DecodeUnit =
    std::function<void(const std::uint8_t* bytes, std::size_t number, std::span<std::uint64_t> values)>;

/// The `uncompressed_bytes` bytes of a block whose payload, with `unit_values` values a unit, the format's
/// rules have accepted.
std::vector<std::uint8_t> decode_units(std::span<const std::uint8_t> payload,
                                       std::uint32_t uncompressed_bytes, std::uint32_t unit_values,
                                       const DecodeUnit& decode);

}  // namespace gsst::reference::tile_integer
