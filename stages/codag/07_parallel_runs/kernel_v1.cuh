#pragma once

#include <cstdint>

#include "common/format/codag/codag.hpp"
#include "common/format/codag/status.hpp"
#include "common/stage/launch.hpp"
#include "stages/codag/shared/coded_chunk.cuh"
#include "stages/codag/shared/lane_masks.cuh"
#include "stages/codag/shared/plain_values.cuh"
#include "stages/codag/shared/region_bytes.cuh"
#include "stages/codag/shared/stream_lines.cuh"
#include "stages/codag/shared/warp_lanes.cuh"
#include "stages/codag/shared/window_varint.cuh"

// Format orc_rle_v1: of runs and short lists each lane finds those in its part of the stream; of long lists
// the ends of varints in its 16 bytes. Then each lane makes a value.
namespace gsst::codag {
namespace {

// All lanes of a warp together.
class ParallelRunsV1 {
public:
  static constexpr std::uint32_t window_values = 1024;
  // The region, and a word for each value of a window of output or end of a list's varint.
  static constexpr std::uint32_t buffer_bytes = RegionBytes::buffer_bytes + window_values * word_bytes;

  __device__ static CodedChunk chunk_of(const stage::BlockOnDevice& block) { return integer_chunk(block); }

  __device__ ParallelRunsV1(const CodedChunk& chunk, std::uint8_t* buffer)
      : bytes_(chunk.stream, chunk.stream_bytes, buffer),
        entries_(reinterpret_cast<std::uint32_t*>(buffer + RegionBytes::buffer_bytes)),
        values_(chunk.output, chunk.value_bytes),
        is_signed_(chunk.is_signed),
        left_(chunk.values),
        place_(bytes_.first()),
        run_(place_) {
    for (std::uint32_t value = lane_number(); value < window_values; value += lanes_of_warp) {
      entries_[value] = 0;
    }
  }

  // All values. A problem is that of the run at run().
  __device__ format::codag::Problem decode() {
    auto problem = format::codag::Problem::none;
    while (left_ != 0 && problem == format::codag::Problem::none) {
      bytes_.hold(place_);
      if (list_left_ != 0) {
        problem = decode_list();
      } else if (was_list_ || is_long_list_here() || !decode_region()) {
        was_list_ = false;
        problem = start_run();
      }
    }
    return problem;
  }

  // As codec and input of chunk_status().
  __device__ std::uint32_t run() const { return run_ - bytes_.first(); }
  __device__ std::uint32_t position() const { return place_ - bytes_.first(); }
  __device__ bool is_at_end() const { return place_ == bytes_.end(); }

private:
  using Problem = format::codag::Problem;

  // Varints of more bytes could have a 65th bit: they are left to who looks at each.
  static constexpr std::uint32_t most_simple_bytes = format::codag::max_varint_bytes - 1;

  // Bytes of the stream for each lane. An odd number of words: lanes that go ahead together read other banks.
  static constexpr std::uint32_t part_bytes = 44;
  static constexpr std::uint32_t region_bytes = lanes_of_warp * part_bytes;
  // A run that begins in a region, and the words that it ends in.
  static_assert(region_bytes + 2 + 3 * sizeof(std::uint64_t) <= RegionBytes::held_bytes);

  // Of a list, all lanes look at so many bytes at a time: 128 values of four bytes.
  static constexpr std::uint32_t words_of_lane = 4;
  static constexpr std::uint32_t list_bytes = lanes_of_warp * words_of_lane * word_bytes;
  static_assert(list_bytes <= window_values && list_bytes + 16 <= RegionBytes::held_bytes);

  // Lists of as many values end a region: all lanes take them. A guess would lose its way in them.
  static constexpr std::uint32_t long_list = 16;

  // What is kept of a run, or a value of a list, at its first value's place: where the varint is in the
  // buffer and which value of the region that is. 0 where none begins.
  static constexpr std::uint32_t value_shift = 11;
  static constexpr std::uint32_t begins_bit = std::uint32_t{1} << 31;
  static_assert(RegionBytes::buffer_bytes == 1U << value_shift);
  static_assert(region_bytes / 3 * format::codag::longest_run < begins_bit >> value_shift);

  // After runs and values of lists one after the other: their values, the place after the last one, and if
  // that is in a list, the place of its first byte counted from place_, and how many values it still has. Who
  // walks stops before what is left to all lanes.
  struct Walk {
    std::uint32_t values;
    std::uint32_t end;
    std::uint32_t list;
    bool is_stopped;
  };
  static constexpr std::uint32_t list_shift = 8;
  static constexpr std::uint32_t list_left_mask = (1U << list_shift) - 1;
  static_assert(format::codag::longest_list <= list_left_mask);
  static constexpr std::uint32_t any_number = 0xffffffff;

  __device__ std::uint64_t decoded(std::uint64_t code) const {
    return is_signed_ ? format::codag::zigzag_decoded(code) : code;
  }

  __device__ void advance(std::uint32_t values, std::uint32_t bytes) {
    place_ += bytes;
    next_ += values;
    left_ -= values;
  }

  __device__ bool is_long_list_here() const {
    const std::uint32_t first = bytes_.byte(place_);
    return first >= format::codag::first_list_byte && 256 - first >= long_list;
  }

  // Where a lane walks from anywhere, most bytes that could begin a long list are a varint's.
  enum class Lists { known, guessed };

  // The calling lane's: runs and values that begin before `limit` as long as values so far are less than
  // `values`. It stops before one that is not simple, before a long list, and before runs and lists that have
  // values past `most`. visit() gets the place of each varint, and the number of its first value.
  template <Lists lists, typename Visit>
  __device__ Walk walk_on(Walk walk, std::uint32_t limit, std::uint32_t values, std::uint32_t most,
                          const Visit& visit) const {
    using namespace format::codag;
    walk.is_stopped = false;
    while (walk.end < limit && walk.values < values) {
      std::uint32_t varint = walk.end;
      std::uint32_t count = 1;
      std::uint32_t list = walk.list;
      if (list == 0) {
        const std::uint32_t first = bytes_.byte(walk.end);
        const bool is_list = first >= first_list_byte;
        const std::uint32_t number = is_list ? 256 - first : first + shortest_run;
        const bool is_long = is_list && number >= long_list;
        if (lists == Lists::known && (is_long || (most != any_number && number > most - walk.values))) {
          walk.is_stopped = true;
          break;
        }
        // A guess takes the first byte of a long list for that of a varint.
        if (!is_long) {
          if (is_list) {
            list = (walk.end - place_) << list_shift | number;
          } else {
            count = number;
          }
          varint += is_list ? 1 : 2;
        }
      }
      const std::uint32_t length = bytes_of_varint(bytes_, varint);
      if (length > most_simple_bytes || varint + length > bytes_.end()) {
        // A list has begun all the same.
        if (list != 0) {
          walk.end = varint;
          walk.list = list;
        }
        walk.is_stopped = true;
        break;
      }
      visit(varint, walk.values);
      walk.values += count;
      walk.end = varint + length;
      walk.list = (list & list_left_mask) <= 1 ? 0 : list - 1;
    }
    return walk;
  }
  template <Lists lists>
  __device__ Walk walk_on(const Walk& walk, std::uint32_t limit, std::uint32_t most = any_number) const {
    return walk_on<lists>(walk, limit, any_number, most, [](std::uint32_t, std::uint32_t) {});
  }

  // The runs and lists that begin in a region, as many as need not be left to all lanes. False if there are
  // none.
  __device__ bool decode_region() {
    const std::uint32_t lane = lane_number();
    const std::uint32_t begin = at_most(place_ + lane * part_bytes, bytes_.end());
    const std::uint32_t limit = at_most(place_ + (lane + 1) * part_bytes, bytes_.end());
    // Where a run begins is known of the first part alone. Who walks from anywhere mostly meets true runs
    // after a few: from half a part before.
    const std::uint32_t before = at_most(place_ + lane * part_bytes - part_bytes / 2, bytes_.end());
    Walk start = {.values = 0, .end = place_, .list = 0, .is_stopped = false};
    if (lane != 0) {
      start.end = before;
      start = walk_on<Lists::guessed>(start, begin);
      start.values = 0;
    }
    Walk part = walk_on<Lists::known>(start, limit);
    std::uint32_t stopped = 0;
    // Each round makes one lane right at least: who was right before, or became it, tells the next one.
    while (true) {
      const std::uint32_t last_end = __shfl_up_sync(every_lane, part.end, 1);
      const std::uint32_t last_list = __shfl_up_sync(every_lane, part.list, 1);
      const bool is_wrong = lane != 0 && (start.end != last_end || start.list != last_list);
      const std::uint32_t wrong = __ballot_sync(every_lane, is_wrong);
      // Of lanes that are known to be right: those after one that stopped are not needed.
      stopped = __ballot_sync(every_lane, part.is_stopped) & ((wrong & (0 - wrong)) - 1);
      if (wrong == 0 || stopped != 0) break;
      if (is_wrong) {
        start = {.values = 0, .end = last_end, .list = last_list, .is_stopped = false};
        part = walk_on<Lists::known>(start, limit);
      }
    }
    const std::uint32_t last_lane = stopped == 0 ? lanes_of_warp - 1 : lowest_one(stopped) - 1;
    if (lane > last_lane) part = {.values = 0, .end = start.end, .list = 0, .is_stopped = false};
    start.values = sum_up_to_lane(part.values) - part.values;
    part.values += start.values;
    Walk last = of_lane(part, last_lane);
    if (last.values + (last.list & list_left_mask) > left_) {
      const std::uint32_t whole_end = part.end;
      // Lanes after the first whose last run or list has too many values have none.
      part = start.values <= left_ ? walk_on<Lists::known>(start, whole_end, left_) : start;
      const std::uint32_t cut = lowest_one(__ballot_sync(every_lane, part.end != whole_end)) - 1;
      last = of_lane(part, cut);
      if (lane > cut) part.end = start.end;
    }
    if (last.end == place_) return false;
    write(start, part.end, last.values);
    list_left_ = last.list & list_left_mask;
    if (list_left_ != 0) run_ = place_ + (last.list >> list_shift);
    advance(last.values, last.end - place_);
    return true;
  }

  // All lanes: that of `lane`.
  __device__ static Walk of_lane(const Walk& walk, std::uint32_t lane) {
    const auto source = static_cast<int>(lane);
    return {.values = __shfl_sync(every_lane, walk.values, source),
            .end = __shfl_sync(every_lane, walk.end, source),
            .list = __shfl_sync(every_lane, walk.list, source),
            .is_stopped = true};
  }

  // `values` values of all lanes: a lane's are what it walks from `walk` to `limit`.
  __device__ void write(Walk walk, std::uint32_t limit, std::uint32_t values) const {
    const std::uint32_t lane = lane_number();
    std::uint32_t last_entry = 0;
    for (std::uint32_t window = 0; window < values; window += window_values) {
      const std::uint32_t window_end = window + window_values;
      walk = walk_on<Lists::known>(
          walk, limit, window_end, any_number, [&](std::uint32_t varint, std::uint32_t value) {
            entries_[value - window] = begins_bit | value << value_shift | varint % RegionBytes::buffer_bytes;
          });
      __syncwarp();
      for (std::uint32_t group = window; group < at_most(window_end, values); group += lanes_of_warp) {
        const std::uint32_t value = group + lane;
        std::uint32_t entry = entries_[value - window];
        entries_[value - window] = 0;
        const std::uint32_t lanes = __ballot_sync(every_lane, entry != 0);
        const std::uint32_t earlier = highest_one(lanes & (lower_lanes() | std::uint32_t{1} << lane));
        const std::uint32_t begun =
            __shfl_sync(every_lane, entry, static_cast<int>(earlier == 0 ? 0 : earlier - 1));
        entry = earlier == 0 ? last_entry : begun;
        last_entry = __shfl_sync(every_lane, entry, lanes_of_warp - 1);
        if (value < values) values_.store(next_ + value, value_of(entry, value));
      }
      // All have read their entries.
      __syncwarp();
    }
  }

  // The calling lane's: value `value` of the region, of which this was kept.
  __device__ std::uint64_t value_of(std::uint32_t entry, std::uint32_t value) const {
    const std::uint32_t varint = entry % RegionBytes::buffer_bytes;
    const auto index = static_cast<std::int32_t>(value - (entry & ~begins_bit) / RegionBytes::buffer_bytes);
    // Of a value of a list the byte before it is anything, and its index 0.
    const std::int32_t delta = static_cast<std::int8_t>(bytes_.byte(varint - 1));
    return decoded(varint_at(bytes_, varint)) + static_cast<std::uint64_t>(std::int64_t{delta * index});
  }

  // One run, or the begin of a list.
  __device__ Problem start_run() {
    using namespace format::codag;
    run_ = place_;
    if (is_at_end()) return Problem::too_few_values;
    const std::uint32_t first = bytes_.byte(place_);
    const std::uint32_t count = first < first_list_byte ? first + shortest_run : 256 - first;
    if (count > left_) return Problem::too_many_values;
    if (first >= first_list_byte) {
      list_left_ = count;
      advance(0, 1);
      return Problem::none;
    }
    const std::uint32_t begin = place_ + 2;
    const std::uint32_t length = varint_length(bytes_, begin);
    if (is_overlong(bytes_, begin, length)) return Problem::overlong_varint;
    if (begin + length > bytes_.end()) return Problem::cut_run;
    const auto delta = static_cast<std::int8_t>(bytes_.byte(place_ + 1));
    values_.write_run(next_, decoded(varint_at(bytes_, begin, length)), count,
                      static_cast<std::uint64_t>(std::int64_t{delta}));
    advance(count, 2 + length);
    return Problem::none;
  }

  // Up to 128 values of a list: of which the ends are in list_bytes bytes.
  __device__ Problem decode_list() {
    const std::uint32_t lane = lane_number();
    const std::uint32_t found = find_ends();
    const std::uint32_t values = at_most(found, list_left_);
    // Where nothing was found, the first varint has no end: its length is 0.
    for (std::uint32_t group = 0; group < values || group == 0; group += lanes_of_warp) {
      const std::uint32_t value = group + lane;
      const bool has_value = value < values;
      const std::uint32_t begin = has_value && value != 0 ? entries_[value - 1] : 0;
      const std::uint32_t end = has_value ? entries_[value] : 0;
      const bool too_long = (has_value || value == 0) && is_overlong(bytes_, place_ + begin, end - begin);
      const bool is_cut = place_ + end > bytes_.end();
      if (__any_sync(every_lane, too_long || is_cut) != 0) {
        // The first one's, of which too many bytes come first.
        const std::uint32_t overlong = __ballot_sync(every_lane, too_long);
        const std::uint32_t cut = __ballot_sync(every_lane, is_cut);
        return lowest_one(overlong) == lowest_one(overlong | cut) ? Problem::overlong_varint
                                                                  : Problem::cut_run;
      }
      if (has_value) values_.store(next_ + value, decoded(varint_at(bytes_, place_ + begin)));
    }
    const std::uint32_t bytes = entries_[values - 1];
    // All have read the ends: entries are 0 again.
    __syncwarp();
    for (std::uint32_t value = lane; value < found; value += lanes_of_warp) entries_[value] = 0;
    __syncwarp();
    list_left_ -= values;
    was_list_ = true;
    advance(values, bytes);
    return Problem::none;
  }

  // Keeps how many bytes there are up to the end of each varint in list_bytes bytes, and returns how many
  // end.
  __device__ std::uint32_t find_ends() const {
    const std::uint32_t of_lane = lane_number() * words_of_lane * word_bytes;
    std::uint32_t ends[words_of_lane];
    std::uint32_t count = 0;
    for (std::uint32_t word = 0; word < words_of_lane; ++word) {
      ends[word] = ends_in(bytes_.word(place_ + of_lane + word * word_bytes));
      count += count_of_ones(ends[word]);
    }
    const std::uint32_t up_to_lane = sum_up_to_lane(count);
    std::uint32_t* next = entries_ + (up_to_lane - count);
    for (std::uint32_t word = 0; word < words_of_lane; ++word) {
      for (std::uint32_t rest = ends[word]; rest != 0; rest &= rest - 1) {
        *next++ = of_lane + word * word_bytes + lowest_one(rest) / 8;
      }
    }
    __syncwarp();
    return __shfl_sync(every_lane, up_to_lane, lanes_of_warp - 1);
  }

  __device__ static std::uint32_t at_most(std::uint32_t number, std::uint32_t most) {
    return number < most ? number : most;
  }

  RegionBytes bytes_;
  std::uint32_t* entries_;
  PlainValues<> values_;
  bool is_signed_;
  std::uint32_t left_;
  std::uint32_t next_ = 0;
  // Where the next run, list or value of a list begins, and that of a problem.
  std::uint32_t place_;
  std::uint32_t run_;
  std::uint32_t list_left_ = 0;
  // Whether what was before is a list: a run that ends one mostly comes before another.
  bool was_list_ = false;
};

}  // namespace
}  // namespace gsst::codag
