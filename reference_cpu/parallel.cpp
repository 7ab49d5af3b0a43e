#include "reference_cpu/parallel.hpp"

#include <omp.h>

#include <algorithm>
#include <cstdint>
#include <exception>

namespace gsst::reference {

unsigned thread_count(unsigned requested) {
  return requested != 0 ? requested : static_cast<unsigned>(omp_get_num_procs());
}

void parallel_for(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& work) {
  std::size_t first_failed = count;
  std::exception_ptr failure;
  const auto team = static_cast<int>(std::clamp<std::size_t>(count, 1, std::max(threads, 1u)));
#pragma omp parallel for schedule(dynamic) num_threads(team) if (team > 1)
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(count); ++i) {
    const auto index = static_cast<std::size_t>(i);
    try {
      work(index);
    } catch (...) {
#pragma omp critical(gsst_parallel_for_failure)
      if (index < first_failed) {
        first_failed = index;
        failure = std::current_exception();
      }
    }
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace gsst::reference
