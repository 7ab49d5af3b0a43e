#include "experiments/measure/shared/device_verification.hpp"

#include <algorithm>
#include <utility>

#include "experiments/measure/shared/device_check.hpp"
#include "experiments/measure/shared/error.hpp"

namespace gsst::experiments {

Verification verification_of(const std::string& name, cuda::DeviceBuffer& output,
                             const cuda::DeviceBuffer& expected, std::function<void()> run,
                             std::function<void()> check_statuses) {
  return {
      .poison = [&] { poison_on_device(output.data(), expected.data(), expected.size()); },
      .run = std::move(run),
      .check =
          [name, &output, &expected, check_statuses = std::move(check_statuses)] {
            const std::uint64_t differences =
                count_differences(output.data(), expected.data(), expected.size());
            if (differences != 0) {
              throw MismatchError(name + ": " + std::to_string(differences) + " bytes differ from the text");
            }
            check_statuses();
          }};
}

void check_zero_statuses(const cuda::DeviceBuffer& statuses) {
  if (std::ranges::any_of(statuses.to_host(), [](std::uint8_t byte) { return byte != 0; })) {
    throw MismatchError("a status is not 0");
  }
}

}  // namespace gsst::experiments
