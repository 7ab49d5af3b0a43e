#include "experiments/measure_memory/allocation_log.hpp"

#include <algorithm>

namespace gsst::experiments {

void AllocationLog::add(const void* address, std::size_t bytes) {
  allocations_[address] = {purpose_, bytes};
  Bytes& used = bytes_[purpose_];
  used.now += bytes;
  used.most = std::max(used.most, used.now);
}

void AllocationLog::remove(const void* address) {
  const auto allocation = allocations_.find(address);
  if (allocation == allocations_.end()) return;
  bytes_[allocation->second.purpose].now -= allocation->second.bytes;
  allocations_.erase(allocation);
}

std::size_t AllocationLog::most_bytes(const std::string& purpose) const {
  const auto used = bytes_.find(purpose);
  return used == bytes_.end() ? 0 : used->second.most;
}

void AllocationLog::restart() {
  for (auto& [purpose, used] : bytes_) used.most = used.now;
}

AllocationLog& allocation_log() {
  static AllocationLog log;
  return log;
}

}  // namespace gsst::experiments
