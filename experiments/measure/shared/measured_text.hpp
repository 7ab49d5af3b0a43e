#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "experiments/measure/shared/run_options.hpp"

namespace gsst::experiments {

/// Throws InputError where a text of `text_bytes` bytes is not several times an L2 cache of `l2_bytes` bytes
/// and `options` do not allow that: a decoder would read from the cache what the repetition before left
/// there.
void check_text_size(std::uint64_t text_bytes, std::uint64_t l2_bytes, const RunOptions& options);

/// All that the rows of `work` on a text depend on: a row with another key is measured again.
nlohmann::ordered_json row_key(const nlohmann::ordered_json& work, const Dataset& dataset,
                               const RunOptions& options, const std::string& gpu, const std::string& driver);

}  // namespace gsst::experiments
