#pragma once

#include <cstdint>
#include <span>
#include <vector>

/// What the fuzzer of decoders asks of columns of strings.
namespace gsst::fuzz {

/// Parses `column`, which may be anything, and aborts if it is accepted with strings outside of its bytes.
void check_column(std::span<const std::uint8_t> column);

/// `column` with sizes that add up and the right checksum, so that what is damaged meets the checks behind
/// these.
std::vector<std::uint8_t> with_repaired_trailer(std::span<const std::uint8_t> column);

}  // namespace gsst::fuzz
