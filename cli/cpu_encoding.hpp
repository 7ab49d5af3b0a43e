#pragma once

#include "cli/input_file.hpp"
#include "common/format/encoding.hpp"
#include "common/format/stream.hpp"
#include "reference_cpu/codec.hpp"

/// Compression without a stage.
namespace gsst::cli {

/// Compresses what is left of `input` on the CPU: with `codec`, or with the encoder for processors where the
/// format has a faster one for what `settings` ask for. Throws what these throw.
format::EncodeTotals encode_on_cpu(const reference::Codec& codec, InputFile& input,
                                   const format::WriteFunction& write, const format::EncodeSettings& settings,
                                   const format::ProgressFunction& progress);

}  // namespace gsst::cli
