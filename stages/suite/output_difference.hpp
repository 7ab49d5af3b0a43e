#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "common/format/block_format.hpp"
#include "common/stage/run_decode.hpp"

/// What the tests of decoders say of bytes that are wrong.
namespace gsst::stage {

/// Whether `found` is what the decoder of `frame` must write. A failure names the first wrong byte, its
/// block, what was expected there and what was found.
testing::AssertionResult is_output(std::span<const std::uint8_t> frame,
                                   std::span<const std::uint8_t> expected,
                                   std::span<const std::uint8_t> found);

/// Whether `found` are the words that decoders of `format` leave for blocks, `expected`. A failure names the
/// first block with another word, and what both say.
testing::AssertionResult has_statuses(format::BlockFormat format, std::span<const std::uint32_t> expected,
                                      std::span<const std::uint32_t> found);

/// "codes: decode to more bytes than stated", or "decoded" for 0.
std::string status_text(format::BlockFormat format, std::uint32_t status);

/// Whether all bytes around the output are still `poison`. A failure says how far outside the output the
/// decoder wrote.
testing::AssertionResult has_whole_guards(const DecodeResult& result, std::uint8_t poison);

}  // namespace gsst::stage
