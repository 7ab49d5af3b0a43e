#include "common/streaming/further_devices.hpp"

#include <algorithm>

namespace gsst::streaming {

bool further_devices_pay(const Pace& pace, double seconds_to_start) {
  if (pace.read_bytes == 0) return false;
  const std::uint64_t left_bytes =
      pace.all_bytes ? *pace.all_bytes - std::min(*pace.all_bytes, pace.read_bytes) : pace.read_bytes;
  if (left_bytes == 0) return false;
  const double left_seconds =
      pace.waited_seconds * static_cast<double>(left_bytes) / static_cast<double>(pace.read_bytes);
  return left_seconds >= 2 * seconds_to_start;
}

}  // namespace gsst::streaming
