#pragma once

#include <functional>
#include <string>

#include "common/cuda/device_buffer.hpp"
#include "experiments/measure/shared/trial.hpp"

namespace gsst::experiments {

/// The verification of a work whose output must be `expected`, byte for byte; both are device memory of the
/// same size. `run` enqueues the work on the default stream, `check_statuses` looks at what the work says of
/// itself. `name` is for messages. All that is given must outlive the verification.
Verification verification_of(const std::string& name, cuda::DeviceBuffer& output,
                             const cuda::DeviceBuffer& expected, std::function<void()> run,
                             std::function<void()> check_statuses);

/// Throws MismatchError unless every byte of `statuses` is 0.
void check_zero_statuses(const cuda::DeviceBuffer& statuses);

}  // namespace gsst::experiments
