#pragma once

#include <cstdint>

#include "common/format/codag/codag.hpp"
#include "common/format/codag/status.hpp"
#include "common/stage/launch.hpp"
#include "stages/codag/shared/coded_chunk.cuh"
#include "stages/codag/shared/lane_masks.cuh"
#include "stages/codag/shared/plain_values.cuh"
#include "stages/codag/shared/short_runs.cuh"
#include "stages/codag/shared/warp_lanes.cuh"
#include "stages/codag/shared/window_bytes.cuh"
#include "stages/codag/shared/window_varint.cuh"

// Format orc_rle_v1: short runs a lane each, lists 32 varints at a time.
namespace gsst::codag {
namespace {

// All lanes of a warp together.
class ParallelRunsV1 {
public:
  // The window, and a word for each lane.
  static constexpr std::uint32_t buffer_bytes = WindowBytes::buffer_bytes + lanes_of_warp * word_bytes;

  __device__ static CodedChunk chunk_of(const stage::BlockOnDevice& block) { return integer_chunk(block); }

  __device__ ParallelRunsV1(const CodedChunk& chunk, std::uint8_t* buffer)
      : bytes_(chunk.stream, chunk.stream_bytes, buffer),
        words_(reinterpret_cast<std::uint32_t*>(buffer + WindowBytes::buffer_bytes)),
        values_(chunk.output, chunk.value_bytes),
        is_signed_(chunk.is_signed),
        left_(chunk.values) {}

  // All values. A problem is that of the run at run().
  __device__ format::codag::Problem decode() {
    auto problem = format::codag::Problem::none;
    while (left_ != 0 && problem == format::codag::Problem::none) {
      bytes_.hold(position_);
      if (list_left_ != 0) {
        problem = decode_list();
      } else if (!decode_short_runs()) {
        problem = start_run();
      }
    }
    return problem;
  }

  // As codec and input of chunk_status().
  __device__ std::uint32_t run() const { return run_; }
  __device__ std::uint32_t position() const { return position_; }
  __device__ bool is_at_end() const { return position_ == bytes_.count(); }

private:
  using Problem = format::codag::Problem;

  // Varints of more bytes could have a 65th bit: they are left to who looks at each.
  static constexpr std::uint32_t most_simple_bytes = format::codag::max_varint_bytes - 1;

  // What a lane keeps of a run: where its varint begins, counted from position_, how many bytes it has,
  // values and difference.
  static constexpr std::uint32_t length_shift = 9;
  static constexpr std::uint32_t count_shift = 13;
  static constexpr std::uint32_t delta_shift = 21;
  static_assert(WindowBytes::held_bytes <= 1U << length_shift);

  // What a lane says of the run that would begin at its byte.
  static constexpr std::uint32_t is_run = 0x10000;
  static constexpr std::uint32_t is_list = 0x20000;

  __device__ std::uint64_t decoded(std::uint64_t code) const {
    return is_signed_ ? format::codag::zigzag_decoded(code) : code;
  }

  __device__ void advance(std::uint32_t values, std::uint32_t bytes) {
    position_ += bytes;
    next_ += values;
    left_ -= values;
  }

  // Up to 32 runs and values of short lists, without a problem in them. False if there is none: what is at
  // position_ is a problem or a long list.
  __device__ bool decode_short_runs() {
    const std::uint32_t lane = lane_number();
    std::uint32_t runs = 0;
    std::uint32_t values = 0;
    std::uint32_t offset = 0;
    bool is_complete = false;
    // A lane looks at the byte of its number and at most 32 further.
    while (!is_complete && offset + 2 * lanes_of_warp <= WindowBytes::held_bytes) {
      const std::uint32_t window = position_ + offset;
      const std::uint32_t first = bytes_.byte(window + lane);
      const std::uint32_t ends = __ballot_sync(every_lane, first < 0x80);
      const std::uint32_t later_ends =
          __ballot_sync(every_lane, bytes_.byte(window + lanes_of_warp + lane) < 0x80);
      const std::uint32_t length = lowest_one(__funnelshift_r(ends, later_ends, lane) >> 2);
      const std::uint32_t end = lane + 2 + length;
      std::uint32_t guess = 0;
      if (first >= format::codag::first_list_byte) {
        guess = is_list | (256 - first) << 8;
      } else if (length - 1 < most_simple_bytes && window + end <= bytes_.count()) {
        guess = is_run | (first + format::codag::shortest_run) << 8 | end;
      }
      std::uint32_t at = 0;
      while (at < lanes_of_warp) {
        const std::uint32_t header = __shfl_sync(every_lane, guess, static_cast<int>(at));
        const std::uint32_t count = header >> 8 & 0xff;
        is_complete =
            header == 0 || count > left_ - values || runs + (header < is_list ? 1 : count) > lanes_of_warp;
        if (is_complete) break;
        if (header < is_list) {
          if (lane == at) {
            words_[runs] = (offset + lane + 2) | length << length_shift | count << count_shift |
                           bytes_.byte(window + lane + 1) << delta_shift;
          }
          ++runs;
          at = header & 0xff;
        } else {
          const std::uint32_t list_ends = ends & ~std::uint32_t{1} << at;
          if (count_of_ones(list_ends) < count) {
            // It may end in the next window, which begins with it.
            is_complete = at == 0;
            break;
          }
          const std::uint32_t earlier = list_ends & lower_lanes();
          const std::uint32_t number = count_of_ones(earlier);
          const bool ends_value = (list_ends >> lane & 1) != 0 && number < count;
          const std::uint32_t begin = earlier == 0 ? at + 1 : highest_one(earlier);
          const std::uint32_t bytes = lane + 1 - begin;
          const bool is_simple = bytes <= most_simple_bytes && window + lane < bytes_.count();
          is_complete = __any_sync(every_lane, ends_value && !is_simple) != 0;
          if (is_complete) break;
          if (ends_value) {
            words_[runs + number] = (offset + begin) | bytes << length_shift | 1U << count_shift;
          }
          at = lowest_one(__ballot_sync(every_lane, ends_value && number + 1 == count));
          runs += count;
        }
        values += count;
      }
      offset += at;
    }
    if (runs == 0) return false;
    __syncwarp();
    write(runs, values);
    // All have read their words.
    __syncwarp();
    advance(values, offset);
    return true;
  }

  // The runs that words_ has.
  __device__ void write(std::uint32_t runs, std::uint32_t values) const {
    RunOfLane run = {.first = 0, .delta = 0, .count = 0};
    if (lane_number() < runs) {
      const std::uint32_t word = words_[lane_number()];
      const std::uint32_t begin = word & ((1U << length_shift) - 1);
      run = {.first = decoded(varint_at(bytes_, position_ + begin, word >> length_shift & 15)),
             .delta = static_cast<std::int8_t>(word >> delta_shift & 0xff),
             .count = word >> count_shift & 0xff};
    }
    write_runs(run, next_, values, values_);
  }

  // One run, or the begin of a list.
  __device__ Problem start_run() {
    using namespace format::codag;
    run_ = position_;
    if (is_at_end()) return Problem::too_few_values;
    const std::uint32_t first = bytes_.byte(position_);
    const std::uint32_t count = first < first_list_byte ? first + shortest_run : 256 - first;
    if (count > left_) return Problem::too_many_values;
    if (first >= first_list_byte) {
      list_left_ = count;
      advance(0, 1);
      return Problem::none;
    }
    const std::uint32_t begin = position_ + 2;
    const std::uint32_t length = varint_length(bytes_, begin);
    if (is_overlong(bytes_, begin, length)) return Problem::overlong_varint;
    if (begin + length > bytes_.count()) return Problem::cut_run;
    const auto delta = static_cast<std::int8_t>(bytes_.byte(position_ + 1));
    values_.write_run(next_, decoded(varint_at(bytes_, begin, length)), count,
                      static_cast<std::uint64_t>(std::int64_t{delta}));
    advance(count, 2 + length);
    return Problem::none;
  }

  // Up to 32 values of a list.
  __device__ Problem decode_list() {
    const std::uint32_t lane = lane_number();
    std::uint32_t found = 0;
    for (std::uint32_t part = 0; part < line_bytes && found < lanes_of_warp; part += lanes_of_warp) {
      const bool is_end = bytes_.byte(position_ + part + lane) < 0x80;
      const std::uint32_t ends = __ballot_sync(every_lane, is_end);
      const std::uint32_t number = found + count_of_ones(ends & lower_lanes());
      if (is_end && number < lanes_of_warp) words_[number] = part + lane + 1;
      found += count_of_ones(ends);
    }
    __syncwarp();
    const std::uint32_t room = list_left_ < lanes_of_warp ? list_left_ : lanes_of_warp;
    const std::uint32_t values = found < room ? found : room;
    const std::uint32_t end = lane < values ? words_[lane] : 0;
    // All have read their words: the next ones take their places.
    __syncwarp();
    const std::uint32_t last_end = __shfl_up_sync(every_lane, end, 1);
    const std::uint32_t begin = lane == 0 ? 0 : last_end;
    const std::uint32_t length = end - begin;
    // Where nothing was found, the first varint has no end: its length is 0.
    const bool has_value = lane < values || lane == 0;
    const bool too_long = has_value && is_overlong(bytes_, position_ + begin, length);
    const std::uint32_t overlong = __ballot_sync(every_lane, too_long);
    const std::uint32_t cut = __ballot_sync(every_lane, has_value && position_ + end > bytes_.count());
    if ((overlong | cut) != 0) {
      // The first one's, of which too many bytes come first.
      return lowest_one(overlong) == lowest_one(overlong | cut) ? Problem::overlong_varint : Problem::cut_run;
    }
    if (has_value) values_.store(next_ + lane, decoded(varint_at(bytes_, position_ + begin, length)));
    list_left_ -= values;
    advance(values, __shfl_sync(every_lane, end, static_cast<int>(values - 1)));
    return Problem::none;
  }

  WindowBytes bytes_;
  std::uint32_t* words_;
  PlainValues<> values_;
  bool is_signed_;
  std::uint32_t left_;
  std::uint32_t next_ = 0;
  std::uint32_t position_ = 0;
  std::uint32_t run_ = 0;
  std::uint32_t list_left_ = 0;
};

}  // namespace
}  // namespace gsst::codag
