#pragma once

#include <optional>

#include "cli/input_file.hpp"
#include "common/format/encoding.hpp"
#include "common/format/stream.hpp"
#include "cpu/block_size/block_size_choice.hpp"
#include "reference_cpu/codec.hpp"

/// Compression without a stage.
namespace gsst::cli {

/// The size of blocks for `input`, of which nothing was read, where nobody names one; nothing where
/// encode_on_cpu() takes that of `settings` whatever the input holds.
std::optional<cpu::BlockSizeChoice> choose_block_size(const reference::Codec& codec, InputFile& input,
                                                      const format::EncodeSettings& settings);

/// Compresses what is left of `input` on the CPU: with `codec`, or with the encoder for processors where the
/// format has a faster one for what `settings` ask for. Throws what these throw.
format::EncodeTotals encode_on_cpu(const reference::Codec& codec, InputFile& input,
                                   const format::WriteFunction& write, const format::EncodeSettings& settings,
                                   const format::ProgressFunction& progress);

}  // namespace gsst::cli
