#pragma once

#include <cstdint>

#include "reference_cpu/symbol.hpp"

namespace gsst::reference {

/// A string that may become a symbol, with what it would save.
struct Candidate {
  Symbol symbol;
  std::uint64_t gain = 0;
};

/// A total order, so that what is chosen does not depend on how candidates were collected.
inline bool is_better(const Candidate& left, const Candidate& right) {
  if (left.gain != right.gain) return left.gain > right.gain;
  return comes_before(left.symbol, right.symbol);
}

}  // namespace gsst::reference
