#pragma once

#include <cstdint>
#include <span>

#include "common/frame/frame.hpp"

namespace gsst::cpu::tiles {

/// format::checksum() of kind xxh64_tree, with the vectors of this processor.
std::uint64_t tree_checksum(std::span<const std::uint8_t> bytes);

/// reference::check_checksum(), with the vectors of this processor: the same errors.
void check_checksum(std::span<const std::uint8_t> output, const format::BlockRecord& record,
                    std::uint64_t block);

}  // namespace gsst::cpu::tiles
