#include "experiments/measure_cpu_stages/memory_copy.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "common/format/part_size.hpp"
#include "reference_cpu/parallel.hpp"

namespace gsst::experiments {

void copy_memory(std::span<const std::uint8_t> from, std::span<std::uint8_t> to, unsigned threads) {
  if (from.empty()) return;
  const std::size_t part_bytes = format::part_size(from.size(), threads);
  reference::parallel_for(threads, threads, [&](std::size_t part) {
    const std::size_t begin = std::min(part * part_bytes, from.size());
    const std::size_t end = std::min(begin + part_bytes, from.size());
    if (begin < end) std::memcpy(to.data() + begin, from.data() + begin, end - begin);
  });
}

}  // namespace gsst::experiments
