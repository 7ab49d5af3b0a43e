#pragma once

#include <cstdint>

#include "data/shared/parts.hpp"

/// Columns like those of the CODAG paper (Table IV), which cannot be had: random ones of the same type that
/// orc_rle_v1 makes as small as the paper's (Table V, within a tenth), and those that the goals of series
/// codag need. Values are little-endian. Each column begins with the same bytes however many it has.
namespace gsst::data::codag {

/// What a column is made of. Functions throw std::invalid_argument for what is out of range.
struct ColumnOfPaper {
  /// 1 to most_bytes, of which a value may have only the first ones.
  std::uint64_t bytes = 0;
  std::uint64_t seed = 1;
};

/// So that the identifiers of tc2 keep their size.
inline constexpr std::uint64_t most_bytes = std::uint64_t{1} << 30;

/// Like MC0, identifiers of mortgages, uint64: random ones below 2^22 in runs with a mean length of 31.
Parts mc0_parts(const ColumnOfPaper& column);

/// Like MC3, a column of floats of mortgages: in runs with a mean length of 43, a fifth of them of zeros, the
/// others of eighths from 2 to 8.875.
Parts mc3_parts(const ColumnOfPaper& column);

/// Like TPC, numbers of passengers, int8: independent ones of 0 to 6, of which 70 % are 1.
Parts tpc_parts(const ColumnOfPaper& column);

/// Like TPT, kinds of payment as lines of text. A thousand lines after each other are either digits, 1 and 2,
/// or, a quarter of them, words, Cash and Credit.
Parts tpt_parts(const ColumnOfPaper& column);

/// Like CD2, a counter of a recommender, uint32: value k of 0 to 2^20 - 1 is drawn independently in
/// proportion to (k + 2)^-1.5.
Parts cd2_parts(const ColumnOfPaper& column);

/// Like TC2, the sorted column of a graph's list of edges, uint64: identifiers with 4 bytes as varints, each
/// as often as its vertex has edges, which is k with a probability in proportion to k^-1.5 up to 999, but 8
/// times as often 1 and 4 times as often 2. Between vertices with edges are up to 15 without.
Parts tc2_parts(const ColumnOfPaper& column);

/// Random int64 of 0 to 10^9 - 1 in runs with a mean length of 30: a column of the goals, not of the paper.
Parts runs_of_30_parts(const ColumnOfPaper& column);

/// Random int64 of 20 bits, but one in 64 of 40 bits: values that ORC's second run lengths store as a patched
/// base. A column of the goals, not of the paper.
Parts outliers_parts(const ColumnOfPaper& column);

}  // namespace gsst::data::codag
