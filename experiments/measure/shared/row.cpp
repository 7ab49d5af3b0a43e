#include "experiments/measure/shared/row.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;

Json seconds_to_json(const SecondsSummary& seconds) {
  return Json{{"median", seconds.median},
              {"min", seconds.min},
              {"max", seconds.max},
              {"stddev", seconds.stddev},
              {"repetitions", seconds.repetitions}};
}

}  // namespace

Json row_to_json(const Row& row, const Dataset& dataset) {
  const double ratio =
      static_cast<double>(row.uncompressed_bytes) / static_cast<double>(row.compressed_bytes);
  Json json{{"stage", row.stage},
            {"variant", row.variant},
            {"operation", "decode"},
            {"parameters", row.parameters},
            {"dataset", dataset.name},
            {"dataset_sha256", dataset.sha256},
            {"uncompressed_bytes", row.uncompressed_bytes},
            {"compressed_bytes", row.compressed_bytes},
            {"ratio", ratio},
            {"seconds", nullptr},
            {"throughput_gb_per_s", nullptr},
            {"streaming_limit_gb_per_s", nullptr},
            {"verified", true}};
  if (row.seconds) {
    json["seconds"] = seconds_to_json(*row.seconds);
    json["throughput_gb_per_s"] = gigabytes_per_second(row.uncompressed_bytes, row.seconds->median);
  }
  return json;
}

}  // namespace gsst::experiments
