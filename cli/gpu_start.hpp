#pragma once

#include <thread>

#include "cli/options.hpp"

namespace gsst::cli {

/// Starts the GPU on a thread while the caller reads the input's first bytes: it takes about as long as all
/// else that is done with a short file. Where there is no GPU, nothing happens: whoever needs it says so.
class GpuStart {
public:
  explicit GpuStart(Device device);

private:
  // Waits for the start.
  std::jthread thread_;
};

}  // namespace gsst::cli
