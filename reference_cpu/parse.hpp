#pragma once

namespace gsst::reference {

/// How an encoder chooses among the symbols of a table.
enum class Parse {
  greedy,   ///< the longest one at each position
  optimal,  ///< those that make the whole the fewest codes
};

}  // namespace gsst::reference
