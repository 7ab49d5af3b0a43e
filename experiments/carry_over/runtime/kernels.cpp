#include "experiments/carry_over/runtime/kernels.hpp"

#include <algorithm>
#include <map>
#include <mutex>

namespace gsst::logged_cuda {
namespace {

constexpr int warp_size = 32;

struct Kernels {
  std::mutex mutex;
  std::map<const void*, Kernel> by_address;
};

// Never destroyed, as the log's files.
Kernels& kernels() {
  static Kernels& only = *new Kernels;  // NOLINT(cppcoreguidelines-owning-memory)
  return only;
}

template <typename Number>
Number rounded_up(Number value, Number multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

}  // namespace

void add_kernel(const void* function, const std::string& name) {
  const auto facts = settings().kernels.find(name);
  if (facts == settings().kernels.end()) fail("the settings do not name the kernel " + name);
  const auto most = static_cast<std::size_t>(settings().attribute("MaxSharedMemoryPerBlock"));
  Kernels& all = kernels();
  const std::lock_guard lock(all.mutex);
  all.by_address[function] = {.name = name,
                              .facts = &facts->second,
                              .most_launch_bytes = most - std::min(most, facts->second.shared_bytes)};
}

Kernel& kernel_at(const void* function) {
  Kernels& all = kernels();
  const std::lock_guard lock(all.mutex);
  const auto found = all.by_address.find(function);
  if (found == all.by_address.end()) fail("a launch of something that is no kernel");
  return found->second;
}

int resident_blocks(const Kernel& kernel, int threads, std::size_t launch_bytes) {
  const Settings& device = settings();
  if (threads < 1 || threads > device.attribute("MaxThreadsPerBlock")) return 0;
  if (launch_bytes > kernel.most_launch_bytes) return 0;
  const int warps = rounded_up(threads, warp_size) / warp_size;
  int blocks = std::min(device.attribute("MaxBlocksPerMultiprocessor"),
                        device.attribute("MaxThreadsPerMultiProcessor") / warp_size / warps);
  // A warp's registers come in 256s, from one of the four quarters of a multiprocessor.
  const int registers = rounded_up(std::max(kernel.facts->registers, 1) * warp_size, 256);
  const int warps_with_registers = device.attribute("MaxRegistersPerMultiprocessor") / 4 / registers * 4;
  blocks = std::min(blocks, warps_with_registers / warps);
  const std::size_t shared = rounded_up(kernel.facts->shared_bytes + launch_bytes, std::size_t{128}) +
                             static_cast<std::size_t>(device.attribute("ReservedSharedMemoryPerBlock"));
  const auto all_shared = static_cast<std::size_t>(device.attribute("MaxSharedMemoryPerMultiprocessor"));
  return std::min(blocks, static_cast<int>(all_shared / shared));
}

}  // namespace gsst::logged_cuda
