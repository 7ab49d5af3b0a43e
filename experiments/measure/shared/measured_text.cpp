#include "experiments/measure/shared/measured_text.hpp"

#include "experiments/measure/shared/error.hpp"

namespace gsst::experiments {
namespace {

constexpr std::uint64_t least_multiple_of_l2 = 4;

}  // namespace

void check_text_size(std::uint64_t text_bytes, std::uint64_t l2_bytes, const RunOptions& options) {
  const std::uint64_t least = least_multiple_of_l2 * l2_bytes;
  if (options.allow_small || text_bytes >= least) return;
  throw InputError("the text has " + std::to_string(text_bytes) +
                   " bytes, but times say something only from " + std::to_string(least) + " bytes on, " +
                   std::to_string(least_multiple_of_l2) +
                   " times the L2 cache; --allow-small measures all the same");
}

nlohmann::ordered_json row_key(const nlohmann::ordered_json& work, const Dataset& dataset,
                               const RunOptions& options, const std::string& gpu, const std::string& driver) {
  return {{"work", work},
          {"dataset", dataset.name},
          {"dataset_sha256", dataset.sha256},
          {"repetitions", options.repetitions},
          {"sources_digest", options.sources_digest},
          {"commit", options.commit},
          {"gpu", gpu},
          {"driver", driver}};
}

}  // namespace gsst::experiments
