#pragma once

#include <cstddef>
#include <functional>

namespace gsst::reference {

/// The number of threads that `requested` asks for: itself, or one per available core for 0.
unsigned thread_count(unsigned requested);

/// Calls work(i) for each i below `count`, with up to `threads` OpenMP threads in no particular order. If
/// calls throw, all others still run, and then the exception of the lowest i is thrown: the same one every
/// time.
void parallel_for(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& work);

}  // namespace gsst::reference
