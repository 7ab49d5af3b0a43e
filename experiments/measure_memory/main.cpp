// gsst_measure_memory: counts the device memory that stages allocate and writes a result as JSON.
#include <functional>
#include <nlohmann/json.hpp>

#include "experiments/measure/shared/point_measurer.hpp"
#include "experiments/measure_memory/encoder_memory.hpp"
#include "experiments/measure_memory/stage_memory.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;

const PointMeasurer measurer = {
    .kind = "memory",
    .description = "Counts the device memory that stages allocate while they decode or encode a text once.",
    .operations = {stage::Operation::decode, stage::Operation::encode},
    .make = [](const Measurement& measurement) -> MeasureGroup {
      return [measurement](std::span<const Point> group, const KeepRows& keep) {
        const bool encodes = group.front().stage->description.operation == stage::Operation::encode;
        const auto measure_group = encodes ? measure_encoder_memory : measure_decoder_memory;
        measure_group(group, measurement.text, measurement.dataset,
                      [&](std::size_t point, const std::function<Json()>& measure) {
                        Json row;
                        const Json clocks = measurement.clocks_during([&] { row = measure(); });
                        row["clocks"] = clocks;
                        keep(point, {row});
                      });
      };
    }};

}  // namespace
}  // namespace gsst::experiments

int main(int argc, char** argv) {
  return gsst::experiments::run_point_program("gsst_measure_memory", gsst::experiments::measurer, argc, argv);
}
