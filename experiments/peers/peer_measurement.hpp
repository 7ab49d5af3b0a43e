#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>

#include "experiments/measure/row.hpp"
#include "experiments/peers/peer_codec.hpp"

namespace gsst::experiments {

/// The row of `codec` on `text` (host memory), measured on the current device: compresses there, verifies the
/// decompressed bytes, measures the streaming limit, times `repetitions` decompressions and verifies again.
/// Each verification poisons the output first. Setting up a decompressor (parsing its header, copying
/// pointers to the device) is not timed. The row has the keys of the result contract,
/// `streaming_limit_variant`, `clocks`, and `gpu_memory`: what the decompressor takes beyond input and
/// output.
/// Throws MismatchError, PeerError, CudaError.
nlohmann::ordered_json measure_peer(const PeerCodec& codec, std::span<const std::uint8_t> text,
                                    const Dataset& dataset, unsigned repetitions);

}  // namespace gsst::experiments
