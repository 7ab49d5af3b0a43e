#include "common/format/codag/status.hpp"

#include <string>

namespace gsst::format::codag {

StatusText describe_problem(Problem problem, std::uint64_t byte) {
  const std::string place = "byte " + std::to_string(byte);
  const std::string of_run = " of the run at " + place;
  switch (problem) {
    case Problem::none:
      break;
    case Problem::too_few_values:
      return {.field = "values", .problem = "end before the block does, at " + place};
    case Problem::too_many_values:
      return {.field = "values", .problem = "go past the block's end, in the run at " + place};
    case Problem::cut_run:
      return {.field = "payload bytes", .problem = "end within the run at " + place};
    case Problem::overlong_varint:
      return {.field = "varints", .problem = of_run.substr(1) + " have more than 64 bits"};
    case Problem::width_out_of_range:
      return {.field = "widths", .problem = of_run.substr(1) + " are above 64 bits"};
    case Problem::patch_out_of_range:
      return {.field = "patches", .problem = of_run.substr(1) + " are of values that it does not have"};
    case Problem::bytes_left:
      return {.field = "payload bytes", .problem = "go on after the last value, at " + place};
  }
  return {.field = "status", .problem = "has an unknown problem at " + place};
}

StatusText describe_stream_status(std::uint32_t status) {
  if (status == static_cast<std::uint32_t>(BlockStatus::wrong_checksum)) return describe_status(status);
  return describe_problem(problem_of(status), byte_of(status));
}

}  // namespace gsst::format::codag
