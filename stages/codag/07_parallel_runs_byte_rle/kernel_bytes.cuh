#pragma once

#include <cstdint>

#include "common/format/codag/codag.hpp"
#include "common/format/codag/status.hpp"
#include "common/stage/launch.hpp"
#include "stages/codag/shared/coded_chunk.cuh"
#include "stages/codag/shared/lane_masks.cuh"
#include "stages/codag/shared/region_bytes.cuh"
#include "stages/codag/shared/stream_lines.cuh"
#include "stages/codag/shared/warp_lanes.cuh"

// Format byte_rle: each lane finds the runs and lists of its part of the stream, then makes words of output.
namespace gsst::codag {
namespace {

// All lanes of a warp together.
class ParallelByteRuns {
public:
  // The region, and an entry for each value of a window of output.
  static constexpr std::uint32_t window_values = 1024;
  static constexpr std::uint32_t buffer_bytes = RegionBytes::buffer_bytes + window_values * word_bytes;

  __device__ static CodedChunk chunk_of(const stage::BlockOnDevice& block) { return byte_chunk(block); }

  __device__ ParallelByteRuns(const CodedChunk& chunk, std::uint8_t* buffer)
      : bytes_(chunk.stream, chunk.stream_bytes, buffer),
        entries_(reinterpret_cast<std::uint32_t*>(buffer + RegionBytes::buffer_bytes)),
        output_(chunk.output),
        left_(chunk.values),
        place_(bytes_.first()) {
    for (std::uint32_t value = lane_number(); value < window_values; value += lanes_of_warp) {
      entries_[value] = 0;
    }
  }

  // All values. A problem is that of the run at run().
  __device__ format::codag::Problem decode() {
    auto problem = format::codag::Problem::none;
    while (left_ != 0 && problem == format::codag::Problem::none) {
      bytes_.hold(place_);
      if (!copy_list()) problem = decode_region();
    }
    return problem;
  }

  // As codec and input of chunk_status().
  __device__ std::uint32_t run() const { return place_ - bytes_.first(); }
  __device__ std::uint32_t position() const { return run(); }
  __device__ bool is_at_end() const { return place_ == bytes_.end(); }

private:
  using Problem = format::codag::Problem;

  // Bytes of the stream for each lane. An odd number of words: lanes that go ahead together read other banks.
  static constexpr std::uint32_t part_bytes = 44;
  static constexpr std::uint32_t region_bytes = lanes_of_warp * part_bytes;
  // What begins in a region may have a list's values after it.
  static_assert(region_bytes + format::codag::longest_list <= RegionBytes::held_bytes);

  // Lists of as many values are not worth a guess: they are longer than a part.
  static constexpr std::uint32_t long_list = 64;

  // What is kept of a run or list at its first value's place in the output: 0 where none begins, or where its
  // bytes are in the region. A list's are counted from where the output's place 0 would be.
  static constexpr std::uint32_t list_bit = std::uint32_t{1} << 31;
  static constexpr std::uint32_t begins_bit = std::uint32_t{1} << 30;
  static constexpr std::uint32_t entries_of_lane = 4;
  static constexpr std::uint32_t group_values = lanes_of_warp * entries_of_lane;
  static_assert(entries_of_lane == word_bytes && window_values % group_values == 0);
  struct alignas(16) Entries {
    std::uint32_t of[entries_of_lane];
  };

  // A run or list: its values, and the place after it.
  struct Header {
    bool is_list;
    std::uint32_t count;
    std::uint32_t end;
  };
  // Runs and lists one after the other: all of their values, and the place after the last one.
  struct Walk {
    std::uint32_t values;
    std::uint32_t end;
  };

  __device__ Header header_at(std::uint32_t place) const {
    using namespace format::codag;
    const std::uint32_t first = bytes_.byte(place);
    const bool is_list = first >= first_list_byte;
    return {.is_list = is_list,
            .count = is_list ? 256 - first : first + shortest_run,
            .end = place + (is_list ? 257 - first : std::uint32_t{bytes_of_byte_run})};
  }

  // The calling lane's: from `place` on, those that begin before `limit` and come before one that is cut.
  __device__ Walk walk(std::uint32_t place, std::uint32_t limit) const {
    Walk walk = {.values = 0, .end = place};
    while (walk.end < limit) {
      const Header header = header_at(walk.end);
      if (header.end > bytes_.end()) break;
      walk.values += header.count;
      walk.end = header.end;
    }
    return walk;
  }

  // The same before one of which the last values are too many, where `first` values precede them.
  __device__ Walk walk_to_last(std::uint32_t place, std::uint32_t limit, std::uint32_t first) const {
    Walk walk = {.values = 0, .end = place};
    while (walk.end < limit) {
      const Header header = header_at(walk.end);
      if (first + walk.values + header.count > left_) break;
      walk.values += header.count;
      walk.end = header.end;
    }
    return walk;
  }

  // A long list that is here. False if there is none without a problem.
  __device__ bool copy_list() {
    const Header header = header_at(place_);
    if (!header.is_list || header.count < long_list || header.count > left_ || header.end > bytes_.end()) {
      return false;
    }
    const std::uint32_t skew = output_skew();
    const std::uint32_t end = skew + header.count;
    for (std::uint32_t place = lane_number() * word_bytes; place < end; place += group_values) {
      store(place, bytes_.word(place_ + 1 + place - skew), skew, end);
    }
    advance(header.end, header.count);
    return true;
  }

  // The runs and lists that begin in a region, as many as have no problem; that of the first one.
  __device__ Problem decode_region() {
    const std::uint32_t lane = lane_number();
    const std::uint32_t begin = at_most(place_ + lane * part_bytes, bytes_.end());
    const std::uint32_t limit = at_most(place_ + (lane + 1) * part_bytes, bytes_.end());
    // Where a run begins is known of the first part alone. Who walks from anywhere mostly meets true runs
    // after a few: from half a part before.
    const std::uint32_t before = at_most(place_ + lane * part_bytes - part_bytes / 2, bytes_.end());
    std::uint32_t start = lane == 0 ? place_ : walk(before, begin).end;
    Walk part = walk(start, limit);
    // Each round makes one lane right at least: who was right before, or became it, tells the next one.
    while (true) {
      const std::uint32_t last_end = __shfl_up_sync(every_lane, part.end, 1);
      const std::uint32_t true_start = lane == 0 ? place_ : last_end;
      if (__any_sync(every_lane, start != true_start) == 0) break;
      if (start != true_start) {
        start = true_start;
        part = walk(start, limit);
      }
    }
    const std::uint32_t first = sum_up_to_lane(part.values) - part.values;
    std::uint32_t values = __shfl_sync(every_lane, first + part.values, lanes_of_warp - 1);
    std::uint32_t end = __shfl_sync(every_lane, part.end, lanes_of_warp - 1);
    if (values > left_) {
      const std::uint32_t whole_end = part.end;
      part = walk_to_last(start, whole_end, first);
      // Lanes after the first that has one too many have none.
      const std::uint32_t cut = __ballot_sync(every_lane, part.end != whole_end);
      const auto source = static_cast<int>(lowest_one(cut) - 1);
      values = __shfl_sync(every_lane, first + part.values, source);
      end = __shfl_sync(every_lane, part.end, source);
    }
    if (end == place_) return problem_here();
    write(start, part.end, first, values);
    advance(end, values);
    return Problem::none;
  }

  __device__ Problem problem_here() const {
    if (is_at_end()) return Problem::too_few_values;
    return header_at(place_).count > left_ ? Problem::too_many_values : Problem::cut_run;
  }

  __device__ void advance(std::uint32_t end, std::uint32_t values) {
    place_ = end;
    output_ += values;
    left_ -= values;
  }

  // Places in the output count from the begin of the word that has its next byte.
  __device__ std::uint32_t output_skew() const {
    return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(output_) % word_bytes);
  }

  // `values` values of all lanes: a lane's runs and lists are from `place` to `limit`, and `first` values
  // precede them.
  __device__ void write(std::uint32_t place, std::uint32_t limit, std::uint32_t first,
                        std::uint32_t values) const {
    const std::uint32_t skew = output_skew();
    const std::uint32_t end = skew + values;
    std::uint32_t next = skew + first;
    std::uint32_t last_entry = 0;
    for (std::uint32_t window = 0; window < end; window += window_values) {
      const std::uint32_t window_end = window + window_values;
      while (place < limit && next < window_end) {
        const Header header = header_at(place);
        const std::uint32_t origin = header.is_list ? place + 1 - next : place + 1;
        entries_[next - window] =
            origin % RegionBytes::buffer_bytes | begins_bit | (header.is_list ? list_bit : 0);
        next += header.count;
        place = header.end;
      }
      __syncwarp();
      for (std::uint32_t group = window; group < at_most(window_end, end); group += group_values) {
        last_entry = write_group(group, group - window, last_entry, skew, end);
      }
      // All have read their entries.
      __syncwarp();
    }
  }

  // A word of output a lane, of which the entries are from `offset` on, and `entry` is that of the run
  // before. Returns that of the last run.
  __device__ std::uint32_t write_group(std::uint32_t group, std::uint32_t offset, std::uint32_t entry,
                                       std::uint32_t skew, std::uint32_t end) const {
    auto& kept = reinterpret_cast<Entries*>(entries_ + offset)[lane_number()];
    const Entries here = kept;
    kept = Entries{};
    std::uint32_t last = 0;
    for (const std::uint32_t one : here.of) last = one != 0 ? one : last;
    const std::uint32_t lanes = __ballot_sync(every_lane, last != 0);
    const std::uint32_t earlier = highest_one(lanes & lower_lanes());
    const std::uint32_t before =
        __shfl_sync(every_lane, last, static_cast<int>(earlier == 0 ? 0 : earlier - 1));
    if (earlier != 0) entry = before;
    const std::uint32_t place = group + lane_number() * word_bytes;
    std::uint32_t word = 0;
    for (std::uint32_t byte = 0; byte < word_bytes; ++byte) {
      if (here.of[byte] != 0) entry = here.of[byte];
      const std::uint32_t from = entry + ((entry & list_bit) != 0 ? place + byte : 0);
      word |= bytes_.byte(from) << 8 * byte;
    }
    store(place, word, skew, end);
    return __shfl_sync(every_lane, entry, lanes_of_warp - 1);
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

  __device__ static std::uint32_t at_most(std::uint32_t number, std::uint32_t most) {
    return number < most ? number : most;
  }

  RegionBytes bytes_;
  std::uint32_t* entries_;
  // Where the next value goes.
  std::uint8_t* output_;
  std::uint32_t left_;
  // Where the next run or list begins.
  std::uint32_t place_;
};

}  // namespace
}  // namespace gsst::codag
