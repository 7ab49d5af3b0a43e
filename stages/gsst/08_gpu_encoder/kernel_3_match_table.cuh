#pragma once

#include <cstdint>

#include "stages/gsst/08_gpu_encoder/kernel_2_hash_indirection.cuh"

// The 128 KB of short codes shrink to a table of single bytes and the match table: rows of pairs that are all
// compared, without a branch (paper 4.3). All tables are in shared memory now.
namespace {

// The code of the pair if its second byte is `second`, plus 1; else 0. `pair` has both in its low 16 bits.
__device__ inline std::uint32_t code_if_equal(std::uint32_t pair, std::uint32_t second) {
  const std::uint32_t mask = 0 - static_cast<std::uint32_t>((pair >> 8 & 0xff) == second);
  return mask & pair & 0xff;
}

// Pairs: the pairs of a row, K.
template <int Pairs>
class MatchTableLookup {
public:
  GSST_HOST_DEVICE static std::uint32_t shared_bytes(const CompactShape& shape) { return shape.bytes(); }

  __device__ MatchTableLookup(const EncodeJob& job, std::uint32_t block, std::uint8_t* shared)
      : shared_(shared),
        pair_words_(reinterpret_cast<const PairWord*>(shared + job.shape.pair_words())),
        rows_(job.shape.rows) {
    copy_to_shared(shared, job.compact_tables + std::size_t{job.parts.table_of(block)} * job.shape.bytes(),
                   job.shape.bytes());
  }

  __device__ Match find(std::uint32_t low, std::uint32_t high, std::uint32_t remaining) const {
    const Match match = find_long(shared_, low, high, remaining);
    if (match != no_match) return match;
    const std::uint32_t pair_code = remaining >= 2 ? find_pair(low & 0xff, low >> 8 & 0xff) : 0;
    if (pair_code != 0) return make_match(pair_code - 1, 2);
    return make_match(shared_[CompactShape::singles + (low & 0xff)], 1);
  }

private:
  // The code of the two-byte symbol plus 1, or 0. At most one pair of a row is equal: the others add 0.
  __device__ std::uint32_t find_pair(std::uint32_t first, std::uint32_t second) const {
    const std::uint32_t row = shared_[CompactShape::row_of_byte + first];
    if (row == no_row) return 0;
    std::uint32_t code = 0;
#pragma unroll
    for (int word = 0; word < Pairs / 2; ++word) {
      // A column of words has one for each row: R is a multiple of 32, so different rows are different banks.
      const PairWord pairs = pair_words_[static_cast<std::uint32_t>(word) * rows_ + row];
      code |= code_if_equal(pairs >> 16, second) | code_if_equal(pairs, second);
    }
    return code;
  }

  const std::uint8_t* shared_;
  const PairWord* pair_words_;
  std::uint32_t rows_;
};

}  // namespace
