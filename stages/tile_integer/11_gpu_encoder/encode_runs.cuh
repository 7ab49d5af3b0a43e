#pragma once

#include <cstdint>

#include "stages/tile_integer/11_gpu_encoder/encode_packing.cuh"
#include "stages/tile_integer/11_gpu_encoder/encode_values.cuh"
#include "stages/tile_integer/11_gpu_encoder/encode_warp.cuh"

// Format rfor: what the 512 values of a warp become, which are a run block. Its runs are found, brought to
// the lanes as values are in other formats, four neighbours of each 128 a lane, and packed like these.
namespace gsst::tile_integer::encoder {
namespace {

static_assert(run_block_values == chain_values);

constexpr unsigned runs_of_step = packed_block_values;

// Four 16-bit numbers of each 128.
using PairsOfLane = std::uint32_t[packed_blocks_of_chain][values_of_lane / 2];

template <typename Number>
struct CodedRuns {
  // The values of the warp, then those of runs without the reference; 0 where there is none.
  ChainOfLane<Number> differences;
  // Without the reference, in the same way; two in a word, since a lane has registers for no more.
  PairsOfLane lengths;
  std::uint32_t count;
  Number reference;
  std::uint32_t length_reference;
  // Of runs 128 b to 128 b + 127, in the lanes whose number modulo 4 is b.
  std::uint32_t value_widths;
  std::uint32_t length_widths;
  // Of miniblock `lane` / 8 of these, from the first miniblock.
  std::uint32_t value_place;
  std::uint32_t length_place;
  // Words of all miniblocks, in the lower half those of values, in the upper half those of lengths.
  std::uint32_t miniblock_words;
  // Of the run block, in all lanes.
  std::uint32_t words;

  __device__ std::uint32_t width_words() const { return (count + runs_of_step - 1) / runs_of_step; }
  // From the run block's first word to the reference of lengths.
  __device__ std::uint32_t length_stream() const {
    constexpr std::uint32_t reference_words = sizeof(Number) / word_bytes;
    return 1 + reference_words + width_words() + (miniblock_words & 0xffff);
  }
};

// Runs on their way from the lanes that have their first values, in shared memory.
template <typename Number>
struct RunScratch {
  Number* values;
  // The number of the first value of each run. One more, the number of all values, ends the last run, unless
  // there are 512.
  std::uint16_t* starts;

  __device__ explicit RunScratch(std::uint8_t* memory)
      : values(reinterpret_cast<Number*>(memory)),
        starts(reinterpret_cast<std::uint16_t*>(values + run_block_values)) {}
};

// All lanes: byte b of the result has a bit for each of the lane's values of packed block b, set where the
// value begins a run.
template <typename Number>
__device__ std::uint32_t heads_of_lane(const ChainOfLane<Number>& values, std::uint32_t count) {
  const unsigned lane = lane_number();
  const unsigned lane_before = (lane + lanes_of_warp - 1) % lanes_of_warp;
  std::uint32_t heads = 0;
  Number last_of_block_before = 0;
#pragma unroll
  for (unsigned block = 0; block < packed_blocks_of_chain; ++block) {
    const Number(&own)[values_of_lane] = values[block];
    const Number last = own[values_of_lane - 1];
    // The first lane continues the last one's values of the packed block before.
    const Number before = __shfl_sync(every_lane, lane == lanes_of_warp - 1 ? last_of_block_before : last,
                                      static_cast<int>(lane_before));
    last_of_block_before = last;
    std::uint32_t bits = own[0] != before ? 1 : 0;
    if (block == 0 && lane == 0) bits = 1;
#pragma unroll
    for (unsigned i = 1; i < values_of_lane; ++i) bits |= own[i] != own[i - 1] ? 1U << i : 0;
    const std::uint32_t first = block * packed_block_values + lane * values_of_lane;
    const std::uint32_t left = first < count ? count - first : 0;
    if (left < values_of_lane) bits &= (1U << left) - 1;
    heads |= bits << 8 * block;
  }
  return heads;
}

// How many of the four lowest bits of each byte are 1.
__device__ inline std::uint32_t ones_of_bytes(std::uint32_t bits) {
  const std::uint32_t pairs = (bits & 0x05050505U) + (bits >> 1 & 0x05050505U);
  return (pairs & 0x03030303U) + (pairs >> 2 & 0x03030303U);
}

// All lanes: the sums of the four bytes of this lane's word and of the words of all lanes before it, of which
// none is above 255.
__device__ inline std::uint32_t inclusive_sums_of_bytes(std::uint32_t bytes) {
  const unsigned lane = lane_number();
  for (unsigned distance = 1; distance < lanes_of_warp; distance *= 2) {
    const std::uint32_t before = __shfl_up_sync(every_lane, bytes, distance);
    if (lane >= distance) bytes += before;
  }
  return bytes;
}

// All lanes: the smallest of the warp's numbers, in the order of `Ordered`.
template <typename Ordered, typename Number>
__device__ Number smallest_of_all(const ChainOfLane<Number>& numbers) {
  auto of_lane = static_cast<Ordered>(numbers[0][0]);
#pragma unroll
  for (unsigned block = 0; block < packed_blocks_of_chain; ++block) {
#pragma unroll
    for (const Number number : numbers[block]) {
      const auto ordered = static_cast<Ordered>(number);
      of_lane = ordered < of_lane ? ordered : of_lane;
    }
  }
  return static_cast<Number>(smallest_of_warp(of_lane));
}

// All lanes: brings values and starts of runs to `scratch`. Sets runs.count. What is there may be read
// after a __syncwarp().
template <typename Number>
__device__ void scatter_runs(std::uint32_t count, const RunScratch<Number>& scratch,
                             CodedRuns<Number>& runs) {
  const unsigned lane = lane_number();
  const std::uint32_t heads = heads_of_lane(runs.differences, count);
  const std::uint32_t of_lane = ones_of_bytes(heads);
  const std::uint32_t sums = inclusive_sums_of_bytes(of_lane);
  const std::uint32_t of_warp = __shfl_sync(every_lane, sums, static_cast<int>(lanes_of_warp - 1));
  const std::uint32_t before_lane = sums - of_lane;
  runs.count = 0;
#pragma unroll
  for (unsigned block = 0; block < packed_blocks_of_chain; ++block) {
    std::uint32_t run = runs.count + (before_lane >> 8 * block & 0xff);
#pragma unroll
    for (unsigned i = 0; i < values_of_lane; ++i) {
      if ((heads >> (8 * block + i) & 1) == 0) continue;
      scratch.values[run] = runs.differences[block][i];
      scratch.starts[run] =
          static_cast<std::uint16_t>(block * packed_block_values + lane * values_of_lane + i);
      ++run;
    }
    runs.count += of_warp >> 8 * block & 0xff;
  }
  // What a lane with the last run reads after it.
  const std::uint32_t after = runs.count + lane;
  if (lane <= values_of_lane && after < run_block_values) {
    scratch.values[after] = 0;
    scratch.starts[after] = static_cast<std::uint16_t>(count);
  }
}

// Ones where a pair of 16-bit numbers has those of which there are `left`: none, the lower one, or both.
__device__ inline std::uint32_t ones_of_pair(std::int32_t left) {
  return left > 1 ? every_lane : (left == 1 ? 0xffff : 0);
}

// Runs from the first one of the lane's pair `pair` of a step on: below 1 where there are none.
__device__ inline std::int32_t runs_from_pair(std::uint32_t runs, unsigned step, unsigned pair) {
  return static_cast<std::int32_t>(runs - step * runs_of_step - lane_number() * values_of_lane - 2 * pair);
}

// All lanes: what scatter_runs() has brought to `scratch`, four neighbours of each 128 runs a lane. What
// there is not is anything. The result is the smallest length.
template <typename Number>
__device__ std::uint32_t gather_runs(std::uint32_t count, const RunScratch<Number>& scratch,
                                     CodedRuns<Number>& runs) {
  std::uint32_t smallest = run_block_values;
#pragma unroll
  for (unsigned step = 0; step < packed_blocks_of_chain; ++step) {
    std::uint32_t(&lengths)[values_of_lane / 2] = runs.lengths[step];
    lengths[0] = 0;
    lengths[1] = 0;
    const std::uint32_t first = step * runs_of_step + lane_number() * values_of_lane;
    if (first >= runs.count) continue;
    load_words<Memory::shared>(reinterpret_cast<const std::uint8_t*>(scratch.values + first),
                               runs.differences[step]);
    const auto* const starts = reinterpret_cast<const std::uint32_t*>(scratch.starts + first);
    const std::uint32_t next =
        first + values_of_lane < run_block_values ? scratch.starts[first + values_of_lane] : count;
    // A length is the difference of two starts, and no run starts before the one before it.
    lengths[0] = __byte_perm(starts[0], starts[1], 0x5432) - starts[0];
    lengths[1] = __byte_perm(starts[1], next, 0x5432) - starts[1];
#pragma unroll
    for (unsigned pair = 0; pair < values_of_lane / 2; ++pair) {
      const std::uint32_t others = ~ones_of_pair(runs_from_pair(runs.count, step, pair));
      const std::uint32_t low = (lengths[pair] | others) & 0xffff;
      const std::uint32_t high = (lengths[pair] | others) >> 16;
      smallest = low < smallest ? low : smallest;
      smallest = high < smallest ? high : smallest;
    }
  }
  return smallest_of_warp(smallest);
}

// All lanes: takes the reference from the values of runs. The result are the widths of miniblocks, as
// value_widths.
template <typename Number>
__device__ std::uint32_t code_values_of_runs(CodedRuns<Number>& runs) {
  Number bits[packed_blocks_of_chain];
#pragma unroll
  for (unsigned step = 0; step < packed_blocks_of_chain; ++step) {
    Number(&own)[values_of_lane] = runs.differences[step];
    const std::int32_t left = runs_from_pair(runs.count, step, 0);
#pragma unroll
    for (unsigned i = 0; i < values_of_lane; ++i) {
      own[i] = left > static_cast<std::int32_t>(i) ? own[i] - runs.reference : Number{0};
    }
    bits[step] = own[0] | own[1] | own[2] | own[3];
  }
  return widths_of_own_block(bits);
}

// The same for lengths.
template <typename Number>
__device__ std::uint32_t code_lengths(CodedRuns<Number>& runs) {
  std::uint32_t bits[packed_blocks_of_chain];
#pragma unroll
  for (unsigned step = 0; step < packed_blocks_of_chain; ++step) {
    std::uint32_t(&own)[values_of_lane / 2] = runs.lengths[step];
#pragma unroll
    for (unsigned pair = 0; pair < values_of_lane / 2; ++pair) {
      own[pair] = (own[pair] - runs.length_reference * 0x00010001U) &
                  ones_of_pair(runs_from_pair(runs.count, step, pair));
    }
    const std::uint32_t both = own[0] | own[1];
    bits[step] = (both | both >> 16) & 0xffff;
  }
  return widths_of_own_block(bits);
}

// All lanes of a warp whose run block has `count` values, at least 1, which are in runs.differences.
template <typename Number>
__device__ void code_runs(const EncodeJob& job, std::uint32_t count, std::uint8_t* memory,
                          CodedRuns<Number>& runs) {
  const RunScratch<Number> scratch(memory);
  if (count != chain_values) replace_after(count, largest_number<Number>(job.is_signed), runs.differences);
  runs.reference = job.is_signed ? smallest_of_all<std::make_signed_t<Number>>(runs.differences)
                                 : smallest_of_all<Number>(runs.differences);
  scatter_runs(count, scratch, runs);
  __syncwarp();
  runs.length_reference = gather_runs(count, scratch, runs);
  __syncwarp();
  runs.value_widths = code_values_of_runs(runs);
  runs.length_widths = code_lengths(runs);
  const unsigned own_step = lane_number() % packed_blocks_of_chain;
  const std::uint32_t own_words = sum_of_bytes(runs.value_widths) | sum_of_bytes(runs.length_widths) << 16;
  std::uint32_t words = own_words;
#pragma unroll
  for (unsigned distance = 1; distance < packed_blocks_of_chain; distance *= 2) {
    const std::uint32_t other = __shfl_up_sync(every_lane, words, distance);
    if (own_step >= distance) words += other;
  }
  const std::uint32_t words_before = words - own_words;
  runs.value_place = place_of_miniblock(runs.value_widths, words_before & 0xffff);
  runs.length_place = place_of_miniblock(runs.length_widths, words_before >> 16);
  runs.miniblock_words = __shfl_sync(every_lane, words, packed_blocks_of_chain - 1);
  runs.words = runs.length_stream() + 1 + runs.width_words() + (runs.miniblock_words >> 16);
}

// A lane adds to that many words at most, from its first one on.
constexpr std::uint32_t words_of_lane = 3;
static_assert(format::tile_integer::max_miniblocks_of_stream * format::tile_integer::max_length_width >=
              lanes_of_warp + words_of_lane);

// The lane's `place`, or another one where the miniblock has no bits, as the last ones often have no runs.
// Its lanes would add nothing to one word, and the hardware takes one lane after the other: here each adds it
// to a word of its own, as if the width were that of four numbers in a word. There is memory of the warp's
// wherever lengths begin.
__device__ inline std::uint32_t spread_place(std::uint32_t place) {
  constexpr std::uint32_t width_of_word = 32 / values_of_lane;
  const std::uint32_t first_word = lane_number() / lanes_of_miniblock * lanes_of_miniblock;
  return width_at(place) != 0 ? place : first_word * 32 << 8 | width_of_word;
}

// All lanes of a warp: lengths of at most `Limit` bits, at `place`.
template <unsigned Limit, typename Number>
__device__ void pack_lengths(std::uint32_t* words, std::uint32_t place, const CodedRuns<Number>& runs) {
#pragma unroll
  for (unsigned step = 0; step < packed_blocks_of_chain; ++step) {
    if (step * runs_of_step >= runs.count) return;
    const std::uint32_t(&pairs)[values_of_lane / 2] = runs.lengths[step];
    const std::uint32_t lengths[values_of_lane] = {pairs[0] & 0xffff, pairs[0] >> 16, pairs[1] & 0xffff,
                                                   pairs[1] >> 16};
    pack_miniblock<Limit, true>(words, place_in_block(place, step), lengths);
  }
}

// All lanes of a warp: its run block, from `words` on.
template <typename Number>
__device__ void pack_runs(const CodedRuns<Number>& runs, std::uint32_t* words) {
  constexpr std::uint32_t reference_words = sizeof(Number) / word_bytes;
  const unsigned lane = lane_number();
  std::uint32_t* const value_widths = words + 1 + reference_words;
  std::uint32_t* const length_widths = words + runs.length_stream() + 1;
  if (lane == 0) {
    words[0] = runs.count;
    store_number(words + 1, runs.reference);
    length_widths[-1] = runs.length_reference;
  }
  if (lane < runs.width_words()) {
    value_widths[lane] = runs.value_widths;
    length_widths[lane] = runs.length_widths;
  }
  // As in pack_chain().
  __syncwarp();
  pack_differences(value_widths + runs.width_words(), spread_place(runs.value_place), runs.count,
                   runs.differences);
  // All lengths are equal: nothing to add, as in pack_chain().
  if (are_at_most(runs.length_place, 0)) return;
  const std::uint32_t place = spread_place(runs.length_place);
  if (are_at_most(place, 8)) {
    pack_lengths<8>(length_widths + runs.width_words(), place, runs);
  } else {
    pack_lengths<16>(length_widths + runs.width_words(), place, runs);
  }
}

}  // namespace
}  // namespace gsst::tile_integer::encoder
