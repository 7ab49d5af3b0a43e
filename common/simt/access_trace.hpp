#pragma once

#include <cstdint>
#include <map>
#include <string>
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

/// While it lives, launches of the thread that made it are traced. One at a time. Without can_trace() it
/// stays empty.
class AccessTrace {
public:
  AccessTrace();
  ~AccessTrace();
  AccessTrace(const AccessTrace&) = delete;
  AccessTrace& operator=(const AccessTrace&) = delete;

  /// The one that lives in this thread, or null.
  static AccessTrace* current();

  /// Adds what a launch of `blocks` thread blocks did.
  void add_launch(const CountsByCode& counts, unsigned blocks);

  std::uint64_t launches() const { return launches_; }
  std::uint64_t blocks() const { return blocks_; }

  /// The lines of kernels and of what they call, in the order of the text. What the executor does in the
  /// place of a GPU is left out: to hand parameters over, and to copy asynchronously.
  std::vector<LineCounts> lines() const;

private:
  CountsByCode counts_;
  std::uint64_t launches_ = 0;
  std::uint64_t blocks_ = 0;
};

}  // namespace gsst::simt
