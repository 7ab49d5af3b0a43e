#pragma once

#include <cstddef>
#include <string>

#include "experiments/carry_over/runtime/settings.hpp"

namespace gsst::logged_cuda {

/// A kernel of the program, with what was set for it.
struct Kernel {
  std::string name;
  const KernelFacts* facts;
  /// Most bytes of shared memory that a launch may add.
  std::size_t most_launch_bytes;
};

/// Takes down a kernel by the address that the program knows it by. Ends the program where the settings do
/// not name it.
void add_kernel(const void* function, const std::string& name);

/// Ends the program where there is no such kernel.
Kernel& kernel_at(const void* function);

/// Thread blocks that one multiprocessor runs at the same time; 0 where a launch would be refused.
int resident_blocks(const Kernel& kernel, int threads, std::size_t launch_bytes);

}  // namespace gsst::logged_cuda
