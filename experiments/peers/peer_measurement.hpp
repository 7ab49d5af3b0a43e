#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>

#include "experiments/measure/shared/row.hpp"
#include "experiments/peers/peer_codec.hpp"

namespace gsst::experiments {

/// The row of decompression by `codec` on `text` (host memory), measured on the current device: compresses
/// there, verifies the decompressed bytes, measures the streaming limit, times `repetitions` decompressions
/// and verifies again. Each verification poisons the output first. Setting up a decompressor (parsing its
/// header, copying pointers to the device) is not timed. The row has the keys of the result contract,
/// `streaming_limit_variant`, `clocks`, and `gpu_memory`: what the decompressor takes beyond input and
/// output.
/// Throws MismatchError, PeerError, CudaError.
nlohmann::ordered_json measure_peer_decompression(const PeerCodec& codec, std::span<const std::uint8_t> text,
                                                  const Dataset& dataset, unsigned repetitions);

/// The same for compression: times `repetitions` compressions of `text`, which stays in device memory, into
/// an output with room for any text of its size. Before and after, the codec decompresses what was written,
/// and the text is compared. Gathering the chunks, where the interface leaves room between them, is not
/// timed. `gpu_memory` also says how large the output is. Throws MismatchError, PeerError, CudaError.
nlohmann::ordered_json measure_peer_compression(const PeerCodec& codec, std::span<const std::uint8_t> text,
                                                const Dataset& dataset, unsigned repetitions);

}  // namespace gsst::experiments
