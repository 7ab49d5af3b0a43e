#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/simt/warp_accesses.hpp"

/// Counts of what a kernel's accesses cost on a GPU, line by line, without a GPU. The numbers are a model's
/// (warp_accesses.hpp).
namespace gsst::simt {

/// Whether this program traces: its kernels were compiled for it, and it was linked with access_tracer.cpp.
bool can_trace();

/// What one line of a source does with one kind of memory.
struct LineCounts {
  /// "FILE:LINE called from FILE:LINE ...", innermost first; an address where the line is not known.
  std::string place;
  AccessClass access_class = AccessClass::global_load;
  AccessCounts counts;
};

/// A piece of global memory that logged requests access. It has the addresses from `first` on: the same in
/// each run if it is aligned as on a GPU, and like the real ones modulo 256.
struct LoggedMemory {
  std::uintptr_t first = 0;
  std::size_t bytes = 0;
};

/// A logged request, and the number of its line among those of the trace.
struct LineRequest {
  std::size_t line = 0;
  WarpRequest request;
};

/// While it lives, launches of the thread that made it are traced. One at a time. Without can_trace() it
/// stays empty.
class AccessTrace {
public:
  /// Also logs the first requests of the first warp of the first launch, no more than `most_requests`.
  explicit AccessTrace(std::size_t most_requests = 0);
  ~AccessTrace();
  AccessTrace(const AccessTrace&) = delete;
  AccessTrace& operator=(const AccessTrace&) = delete;

  /// The one that lives in this thread, or null.
  static AccessTrace* current();

  /// Adds what a launch of `blocks` thread blocks did.
  void add_launch(const CountsByCode& counts, unsigned blocks);

  /// Where the next launch logs its requests; null where it does not.
  RequestLog* log() { return launches_ == 0 && log_.most != 0 ? &log_ : nullptr; }
  /// Says where the logged requests' memory is, the addresses of which are now those in `memory`, or in
  /// shared memory those from 0 on.
  void set_memory(std::vector<LoggedMemory> memory) { memory_ = std::move(memory); }

  std::uint64_t launches() const { return launches_; }
  std::uint64_t blocks() const { return blocks_; }

  /// The lines of kernels and of what they call, in the order of the text. What the executor does in the
  /// place of a GPU is left out: to hand parameters over, and to copy asynchronously.
  std::vector<LineCounts> lines() const;

  /// The logged requests of these lines, which are lines().
  std::vector<LineRequest> requests(std::span<const LineCounts> lines) const;
  const std::vector<LoggedMemory>& memory() const { return memory_; }

private:
  CountsByCode counts_;
  RequestLog log_;
  std::vector<LoggedMemory> memory_;
  std::uint64_t launches_ = 0;
  std::uint64_t blocks_ = 0;
};

}  // namespace gsst::simt
