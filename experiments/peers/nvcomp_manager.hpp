#pragma once

#include <cuda_runtime_api.h>

#include <functional>
#include <memory>
#include <nvcomp/nvcompManager.hpp>
#include <string>

#include "experiments/peers/peer_codec.hpp"

namespace gsst::experiments {

/// Makes nvCOMP's manager of one codec, which works on `stream`.
using MakeManager =
    std::function<std::unique_ptr<nvcomp::nvcompManagerBase>(std::size_t chunk_bytes, cudaStream_t stream)>;

/// The codec `name` through nvCOMP's high-level interface: one manager for the whole text, which cuts it into
/// chunks and keeps their sizes in the compressed bytes. Thesis, Section 6.2.
PeerCodec manager_codec(const std::string& name, std::size_t chunk_bytes, const MakeManager& make);

}  // namespace gsst::experiments
