#pragma once

#include "reference_cpu/codec.hpp"
#include "reference_cpu/compress_block.hpp"
#include "reference_cpu/stream_codec.hpp"

/// The codecs of series gsst in the words of their encoders.
namespace gsst::reference {

/// What `settings` ask for of `format`, one of the series.
CompressOptions compress_options(format::BlockFormat format, const EncodeSettings& settings);

/// What an encoder that was given `options` has counted, in words.
EncodeTotals describe_totals(const CompressOptions& options, const CompressTotals& totals);

}  // namespace gsst::reference
