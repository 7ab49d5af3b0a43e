#include "experiments/measure_overlap/grid.hpp"

#include "experiments/measure/shared/error.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;

const Json& list_of(const Json& document, const char* key, const std::string& place) {
  if (!document.is_object() || !document.contains(key) || !document[key].is_array() ||
      document[key].empty()) {
    throw InputError(place + ": '" + key + "' must be a list that is not empty");
  }
  return document[key];
}

}  // namespace

OverlapGrid parse_grid(const Json& document, const std::string& place) {
  OverlapGrid grid;
  for (const Json& count : list_of(document, "batches", place)) {
    if (!count.is_number_unsigned() || count == 0) {
      throw InputError(place + ": 'batches' holds " + count.dump() + ", not a number of batches");
    }
    grid.batches.push_back(count);
  }
  for (const Json& throughput : list_of(document, "interconnects", place)) {
    if (throughput.is_null()) {
      grid.interconnects.emplace_back();
    } else if (throughput.is_number() && throughput > 0) {
      grid.interconnects.emplace_back(throughput.get<double>());
    } else {
      throw InputError(place + ": 'interconnects' holds " + throughput.dump() + ", neither GB/s nor null");
    }
  }
  return grid;
}

}  // namespace gsst::experiments
