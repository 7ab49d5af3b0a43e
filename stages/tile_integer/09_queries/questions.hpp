#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// What is asked of stage tile_integer/09_queries: the 13 queries of the Star Schema Benchmark (SSB).
namespace gsst::tile_integer {

/// The functions are those of stage::KernelsOn<Questions>.
struct Questions {
  /// The names of the queries, q1.1 to q4.3, in their order: what QuerySubject::question says.
  std::vector<std::string> (*names)();
  /// The names of the columns (data/ssb.py) whose frames a plan is given, in the order of
  /// QuerySubject::frames. A column may be there twice. Throws std::invalid_argument for an unknown query.
  std::vector<std::string> (*columns)(std::string_view question);
  /// Sums of the answer, numbers of 8 bytes. Groups without a row have the sum 0. Throws as columns() does.
  std::uint32_t (*groups)(std::string_view question);
};

}  // namespace gsst::tile_integer
