#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "common/stage/stage.hpp"

namespace gsst::streaming {

/// The devices of one executor. Several threads may use an object at the same time.
class Devices {
public:
  Devices() = default;
  Devices(const Devices&) = delete;
  Devices& operator=(const Devices&) = delete;
  virtual ~Devices() = default;

  /// At least 1. The same for the object's whole life.
  virtual std::size_t count() const = 0;

  /// From now on, the calling thread works on `device`, less than count(). The first work of the program on a
  /// device starts it, which takes a GPU about start_seconds (further_devices.hpp). Throws cuda::CudaError.
  virtual void use(std::size_t device) const = 0;

  /// What messages call `device`, less than count(). Empty where there is nothing to tell it from.
  virtual std::string name(std::size_t device) const = 0;
};

/// The devices that the program has of `executor`: the GPUs that CUDA shows it, in its order, of which the
/// environment variable CUDA_VISIBLE_DEVICES chooses; one for the other executors, and where CUDA shows none.
std::unique_ptr<Devices> devices_of(stage::Executor executor);

}  // namespace gsst::streaming
