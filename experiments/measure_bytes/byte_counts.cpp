#include "experiments/measure_bytes/byte_counts.hpp"

#include <algorithm>
#include <numeric>

#include "common/format/zero_length/zero_length.hpp"

namespace gsst::experiments {

namespace zle = format::zero_length;

std::uint64_t elements_bytes_of_run(std::uint64_t length) {
  const std::uint64_t rest = length % zle::longest_run;
  return zle::marked_element_bytes * (length / zle::longest_run) +
         (rest < zle::shortest_run ? rest : zle::marked_element_bytes);
}

void ByteCounts::add(std::span<const std::uint8_t> block) {
  std::uint64_t run = 0;
  for (const std::uint8_t byte : block) {
    ++bytes[byte];
    if (byte == 0) {
      ++run;
    } else if (run != 0) {
      add_run(run);
      run = 0;
    }
  }
  if (run != 0) add_run(run);
}

void ByteCounts::add_run(std::uint64_t length) {
  longest_run = std::max(longest_run, length);
  if (length <= longest_counted_run) {
    ++runs[length];
  } else {
    ++longer_runs;
    saved_by_longer_runs += length - elements_bytes_of_run(length);
  }
}

std::uint64_t ByteCounts::total_bytes() const {
  return std::accumulate(bytes.begin(), bytes.end(), std::uint64_t{0});
}

std::uint8_t ByteCounts::rarest_byte() const {
  return static_cast<std::uint8_t>(std::min_element(bytes.begin() + 1, bytes.end()) - bytes.begin());
}

std::uint64_t ByteCounts::elements_bytes() const {
  std::uint64_t saved = saved_by_longer_runs;
  for (std::uint64_t length = 1; length <= longest_counted_run; ++length) {
    saved += runs[length] * (length - elements_bytes_of_run(length));
  }
  return total_bytes() - saved + bytes[zle::marker];
}

}  // namespace gsst::experiments
