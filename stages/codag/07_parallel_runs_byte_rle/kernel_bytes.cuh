#pragma once

#include <cstdint>

#include "common/format/codag/codag.hpp"
#include "common/format/codag/status.hpp"
#include "common/stage/launch.hpp"
#include "stages/codag/shared/coded_chunk.cuh"
#include "stages/codag/shared/lane_masks.cuh"
#include "stages/codag/shared/warp_lanes.cuh"
#include "stages/codag/shared/window_bytes.cuh"

// Format byte_rle: 32 runs and lists at a time, four bytes of output a lane.
namespace gsst::codag {
namespace {

// All lanes of a warp together.
class ParallelByteRuns {
public:
  // The window, and a word for each lane.
  static constexpr std::uint32_t buffer_bytes = WindowBytes::buffer_bytes + lanes_of_warp * word_bytes;

  __device__ static CodedChunk chunk_of(const stage::BlockOnDevice& block) { return byte_chunk(block); }

  __device__ ParallelByteRuns(const CodedChunk& chunk, std::uint8_t* buffer)
      : bytes_(chunk.stream, chunk.stream_bytes, buffer),
        words_(reinterpret_cast<std::uint32_t*>(buffer + WindowBytes::buffer_bytes)),
        output_(chunk.output),
        left_(chunk.values) {}

  // All values. A problem is that of the run at run().
  __device__ format::codag::Problem decode() {
    auto problem = format::codag::Problem::none;
    while (left_ != 0 && problem == format::codag::Problem::none) {
      bytes_.hold(position_);
      problem = decode_runs();
    }
    return problem;
  }

  // As codec and input of chunk_status().
  __device__ std::uint32_t run() const { return position_; }
  __device__ std::uint32_t position() const { return position_; }
  __device__ bool is_at_end() const { return position_ == bytes_.count(); }

private:
  using Problem = format::codag::Problem;

  // What a lane keeps of a run or list: where its bytes begin, counted from position_, whether these are as
  // many as its values, and how many values.
  static constexpr std::uint32_t list_shift = 9;
  static constexpr std::uint32_t count_shift = 10;
  static_assert(WindowBytes::held_bytes <= 1U << list_shift);

  // A window's last list ends so many bytes after the window's begin.
  static constexpr std::uint32_t reach = lanes_of_warp + format::codag::longest_list;
  static_assert(reach <= WindowBytes::held_bytes);

  static constexpr std::uint32_t parts_of_group = 4;

  __device__ static std::uint32_t count_of(std::uint32_t first) {
    using namespace format::codag;
    return first < first_list_byte ? first + shortest_run : 256 - first;
  }

  // Up to 32 runs and lists, as many as have no problem; that of the first one.
  __device__ Problem decode_runs() {
    const std::uint32_t lane = lane_number();
    std::uint32_t runs = 0;
    std::uint32_t values = 0;
    std::uint32_t offset = 0;
    bool is_complete = false;
    while (!is_complete && offset + reach <= WindowBytes::held_bytes) {
      const std::uint32_t window = position_ + offset;
      const std::uint32_t first = bytes_.byte(window + lane);
      const bool is_list = first >= format::codag::first_list_byte;
      const std::uint32_t count_here = count_of(first);
      const std::uint32_t end =
          lane + (is_list ? 1 + count_here : std::uint32_t{format::codag::bytes_of_byte_run});
      const std::uint32_t guess = window + end <= bytes_.count() ? count_here << 8 | end : 0;
      std::uint32_t at = 0;
      while (at < lanes_of_warp) {
        const std::uint32_t header = __shfl_sync(every_lane, guess, static_cast<int>(at));
        const std::uint32_t count = header >> 8;
        is_complete = header == 0 || count > left_ - values || runs == lanes_of_warp;
        if (is_complete) break;
        if (lane == at) {
          words_[runs] = (offset + lane + 1) | (is_list ? 1U : 0U) << list_shift | count << count_shift;
        }
        ++runs;
        values += count;
        at = header & 0xff;
      }
      offset += at;
    }
    if (runs == 0) return problem_here();
    __syncwarp();
    write(runs, values);
    // All have read their words.
    __syncwarp();
    position_ += offset;
    output_ += values;
    left_ -= values;
    return Problem::none;
  }

  __device__ Problem problem_here() const {
    if (is_at_end()) return Problem::too_few_values;
    return count_of(bytes_.byte(position_)) > left_ ? Problem::too_many_values : Problem::cut_run;
  }

  // What words_ has, by words of output. Places count from the first such word's begin.
  __device__ void write(std::uint32_t runs, std::uint32_t values) const {
    const std::uint32_t lane = lane_number();
    const auto skew = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(output_) % word_bytes);
    const std::uint32_t end = skew + values;
    const std::uint32_t word = lane < runs ? words_[lane] : 0;
    const std::uint32_t count = word >> count_shift;
    const std::uint32_t start = skew + sum_up_to_lane(count) - count;
    // Where the byte of place 0 would be if the list began before it, or that of a run.
    const bool is_list = (word >> list_shift & 1) != 0;
    const std::uint32_t begin = position_ + (word & ((1U << list_shift) - 1));
    const std::uint32_t origin = is_list ? begin - start : begin;
    const std::uint32_t lists = __ballot_sync(every_lane, is_list);
    // Runs that start before `group`.
    std::uint32_t earlier = 0;
    for (std::uint32_t group = 0; group < end; group += lanes_of_warp * word_bytes) {
      // The bits of this lane's places, and starts below them.
      std::uint32_t starts = 0;
      std::uint32_t source = earlier;
      for (std::uint32_t part = 0; part < parts_of_group; ++part) {
        const std::uint32_t bit = start - group - part * lanes_of_warp;
        const std::uint32_t bits =
            bits_of_all(count != 0 && bit < lanes_of_warp ? std::uint32_t{1} << bit : 0);
        earlier += count_of_ones(bits);
        if (part < lane / 8) source = earlier;
        if (part == lane / 8) starts = bits;
      }
      const std::uint32_t shift = lane % 8 * word_bytes;
      source += count_of_ones(starts & ((std::uint32_t{1} << shift) - 1));
      const std::uint32_t place = group + lane * word_bytes;
      std::uint32_t output = 0;
      for (std::uint32_t byte = 0; byte < word_bytes; ++byte) {
        source += starts >> (shift + byte) & 1;
        // There is none before the first one.
        const std::uint32_t number = source == 0 ? 0 : source - 1;
        const std::uint32_t from = __shfl_sync(every_lane, origin, static_cast<int>(number)) +
                                   ((lists >> number & 1) != 0 ? place + byte : 0);
        if (place + byte >= skew && place + byte < end) output |= bytes_.byte(from) << 8 * byte;
      }
      store(place, output, skew, end);
    }
  }

  // The bytes of a word of output that are places from `skew` on, and before `end`.
  __device__ void store(std::uint32_t place, std::uint32_t word, std::uint32_t skew,
                        std::uint32_t end) const {
    if (place >= skew && place + word_bytes <= end) {
      *reinterpret_cast<std::uint32_t*>(output_ + (place - skew)) = word;
      return;
    }
    for (std::uint32_t byte = 0; byte < word_bytes; ++byte) {
      if (place + byte >= skew && place + byte < end) {
        output_[place + byte - skew] = static_cast<std::uint8_t>(word >> 8 * byte);
      }
    }
  }

  WindowBytes bytes_;
  std::uint32_t* words_;
  // Where the next value goes.
  std::uint8_t* output_;
  std::uint32_t left_;
  std::uint32_t position_ = 0;
};

}  // namespace
}  // namespace gsst::codag
