#include "experiments/measure_line_rate_gpu/paced_points.hpp"

#include "experiments/measure/shared/error.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;

std::uint64_t number_of(const Json& object, const char* key, const std::string& place) {
  // More would overflow as nanoseconds or as bytes.
  constexpr std::int64_t most = 1'000'000'000;
  const bool is_integer = object.is_object() && object.contains(key) && object[key].is_number_integer();
  if (!is_integer || object[key] < 1 || object[key] > most) {
    throw InputError(place + ": '" + key + "' must be a number from 1 to " + std::to_string(most));
  }
  return object[key].get<std::uint64_t>();
}

}  // namespace

SourceOptions parse_source_options(const Json& document, const std::string& place) {
  const Json options = document.is_object() ? document.value("options", Json()) : Json();
  constexpr unsigned bits_of_mib = 20;
  return {.packet_bytes = number_of(options, "packet_bytes", place),
          .ring_bytes = number_of(options, "ring_mib", place) << bits_of_mib,
          .longest = std::chrono::milliseconds(number_of(options, "longest_milliseconds", place))};
}

WantedPace wanted_pace(const Point& point) {
  const std::string place = "row of " + point_to_json(point).dump();
  return {
      .gigabits_per_second = static_cast<double>(number_of(point.row, "wanted_gigabits_per_second", place)),
      .duration = std::chrono::milliseconds(number_of(point.row, "wanted_milliseconds", place)),
      .sources = static_cast<std::uint32_t>(number_of(point.row, "sources", place))};
}

}  // namespace gsst::experiments
