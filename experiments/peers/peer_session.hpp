#pragma once

#include <span>
#include <string>

#include "experiments/measure/shared/run_options.hpp"
#include "experiments/peers/peer_codec.hpp"

namespace gsst::experiments {

/// What of a codec is measured.
enum class PeerOperation { decompress, compress };

/// Measures `operation` of each of `codecs` on the text of `input` in a process of its own and writes the
/// result file of `target`, as `run` says. A codec that fails leaves the others: it is named on standard
/// error and has no row. Rows that an interrupted run finished are taken over. Returns the number of codecs
/// that have no row. Throws InputError where the input cannot be measured, and PeerError where there is no
/// GPU or no codec has a row; nothing is written then.
std::size_t measure_peers(std::span<const PeerCodec> codecs, PeerOperation operation,
                          const std::string& version, const std::string& target, const RunOptions& run,
                          const InputOptions& input);

}  // namespace gsst::experiments
