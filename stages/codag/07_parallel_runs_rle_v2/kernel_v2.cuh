#pragma once

#include <cstdint>
#include <type_traits>

#include "common/format/codag/orc_rle_v2.hpp"
#include "common/format/codag/status.hpp"
#include "common/stage/launch.hpp"
#include "stages/codag/shared/coded_chunk.cuh"
#include "stages/codag/shared/lane_masks.cuh"
#include "stages/codag/shared/plain_values.cuh"
#include "stages/codag/shared/region_bytes.cuh"
#include "stages/codag/shared/stream_lines.cuh"
#include "stages/codag/shared/warp_lanes.cuh"
#include "stages/codag/shared/window_varint.cuh"

// Format orc_rle_v2: for each byte of a region lanes tell where a short run that began there would end, and
// follow the true ones; of other runs all lanes read what precedes the packed numbers, and each lane one of
// 32 of these.
namespace gsst::codag {
namespace {

// All lanes of a warp together.
class ParallelRunsV2 {
public:
  // Bytes of the stream for each lane. An odd number of words: lanes that go ahead together read other banks.
  static constexpr std::uint32_t part_bytes = 36;
  static constexpr std::uint32_t region_bytes = lanes_of_warp * part_bytes;
  // What is kept of each byte of a part, and two more, for the same reason.
  static constexpr std::uint32_t exits_of_part = part_bytes + 2;
  // What is held of the stream, the bytes of a run from each byte of a region on, and what follows from them.
  static constexpr std::uint32_t buffer_bytes =
      RegionBytes::buffer_bytes + region_bytes + lanes_of_warp * exits_of_part * sizeof(std::uint16_t);

  __device__ static CodedChunk chunk_of(const stage::BlockOnDevice& block) { return integer_chunk(block); }

  __device__ ParallelRunsV2(const CodedChunk& chunk, std::uint8_t* buffer)
      : bytes_(chunk.stream, chunk.stream_bytes, buffer),
        lengths_(buffer + RegionBytes::buffer_bytes),
        exits_(reinterpret_cast<std::uint16_t*>(lengths_ + region_bytes)),
        values_(chunk.output, chunk.value_bytes),
        is_signed_(chunk.is_signed),
        left_(chunk.values),
        place_(bytes_.first()),
        run_(place_) {}

  // All values. A problem is that of the run at run().
  __device__ format::codag::Problem decode() {
    auto problem = format::codag::Problem::none;
    while (left_ != 0 && problem == format::codag::Problem::none) {
      bytes_.hold(place_);
      if (packed_left_ != 0) {
        if (kind_ == RunKind::direct && width_ <= 32) {
          decode_direct();
        } else {
          decode_packed();
        }
      } else if (was_long_ || is_long_here() || !decode_region()) {
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
  using RunKind = format::codag::RunKind;

  // Longer runs are not short: a length has a byte. One that begins in a region, and words that it ends in,
  // are in what is held.
  static constexpr std::uint32_t most_short_bytes = 255;
  static_assert(region_bytes + most_short_bytes + 2 * sizeof(std::uint64_t) <= RegionBytes::held_bytes);

  // A varint of more bytes could have a 65th bit.
  static constexpr std::uint32_t most_simple_bytes = format::codag::max_varint_bytes - 1;

  // What is kept of a byte of a part: where runs that follow each other from there on leave the part, counted
  // from its begin, and how many they are. In the part itself where the last of them is followed by no short
  // run.
  static constexpr std::uint32_t runs_shift = 10;
  static_assert(part_bytes + most_short_bytes <= 1U << runs_shift);
  // The shortest run has two bytes, and runs have less than the bits that are left.
  static_assert(part_bytes / (format::codag::repeat_header_bytes + 1) < 1U << (16 - runs_shift));
  // A place for each of the region's runs is kept where that was.
  static_assert(region_bytes / (format::codag::repeat_header_bytes + 1) <= lanes_of_warp * exits_of_part);

  // A short run as all lanes see it: where packed numbers begin in the buffer, their width, and how its
  // values are made.
  static constexpr std::uint32_t width_shift = 11;
  static constexpr std::uint32_t kind_shift = 18;
  static constexpr std::uint32_t falls_shift = 20;
  static constexpr std::uint32_t equal_differences = 0;
  static constexpr std::uint32_t packed_values = 1;
  static constexpr std::uint32_t packed_differences = 2;

  struct ShortRun {
    std::uint32_t count = 0;
    std::uint32_t shape = 0;
    std::uint64_t first = 0;
    std::uint64_t difference = 0;
  };

  // Sums of 32 numbers of so many bits have 32 bits.
  static constexpr std::uint32_t narrow_width = 27;

  __device__ std::uint64_t decoded(std::uint64_t stored) const {
    return is_signed_ ? format::codag::zigzag_decoded(stored) : stored;
  }

  __device__ std::uint32_t bytes_left(std::uint32_t position) const { return bytes_.end() - position; }

  // A run of equal differences, which ends at `end`.
  __device__ Problem write_run(std::uint64_t first, std::uint32_t count, std::uint64_t delta,
                               std::uint32_t end) {
    values_.write_run(next_, first, count, delta);
    next_ += count;
    left_ -= count;
    place_ = end;
    return Problem::none;
  }

  // Where `first` begins a run of this many values: bytes of its packed numbers.
  __device__ static std::uint32_t packed_bytes_of(std::uint32_t first, std::uint32_t count) {
    using namespace format::codag;
    const std::uint32_t code = first >> 1 & 31;
    if (static_cast<RunKind>(first >> run_kind_shift) != RunKind::delta) {
      return packed_bytes(count, width_of_code(code));
    }
    return code == 0 || count <= 2 ? 0 : packed_bytes(count - 2, width_of_code(code));
  }

  // The calling lane's: bytes of the short run that would begin at `place`, 0 where none would. Bits of
  // `ends` say of that byte and of those that follow which end a varint.
  __device__ std::uint32_t length_of_short_run(std::uint32_t place, std::uint32_t ends) const {
    using namespace format::codag;
    const std::uint32_t first = bytes_.byte(place);
    const auto kind = static_cast<RunKind>(first >> run_kind_shift);
    const std::uint32_t code = first >> 1 & 31;
    std::uint32_t numbers = ((first & 1) << 8 | bytes_.byte(place + 1)) + 1;
    std::uint32_t width = width_of_code(code);
    std::uint32_t bytes = direct_header_bytes;
    bool is_short = kind != RunKind::patched_base;
    if (kind == RunKind::delta) {
      const std::uint32_t first_ends = ends >> delta_header_bytes;
      const std::uint32_t length = lowest_one(first_ends);
      const std::uint32_t second_length = lowest_one(first_ends >> length);
      is_short = length - 1 < most_simple_bytes && second_length - 1 < most_simple_bytes;
      bytes += length + second_length;
      numbers = numbers <= 2 ? 0 : numbers - 2;
      if (code == 0) width = 0;
    }
    bytes += packed_bytes(numbers, width);
    if (kind == RunKind::short_repeat) bytes = repeat_header_bytes + (first >> 3 & 7) + 1;
    return is_short && bytes <= most_short_bytes && place + bytes <= bytes_.end() ? bytes : 0;
  }

  // Whether the run at place_ is not short, as its first two bytes say.
  __device__ bool is_long_here() const {
    const std::uint32_t first = bytes_.byte(place_);
    const auto kind = static_cast<RunKind>(first >> format::codag::run_kind_shift);
    const std::uint32_t count = ((first & 1) << 8 | bytes_.byte(place_ + 1)) + 1;
    return kind == RunKind::patched_base ||
           (kind != RunKind::short_repeat && packed_bytes_of(first, count) > most_short_bytes);
  }

  // Of the short runs that follow each other from place_ on and begin in a region: how many, and where the
  // last one ends.
  struct Runs {
    std::uint32_t count;
    std::uint32_t end;
  };

  // Decodes those. False if there are none.
  __device__ bool decode_region() {
    find_lengths();
    __syncwarp();
    find_exits();
    __syncwarp();
    const Runs runs = find_runs();
    __syncwarp();
    std::uint32_t end = runs.end;
    std::uint32_t lanes = lanes_of_warp;
    for (std::uint32_t batch = 0; batch < runs.count && lanes == lanes_of_warp; batch += lanes_of_warp) {
      const std::uint32_t number = batch + lane_number();
      const std::uint32_t place = place_ + exits_[number < runs.count ? number : 0];
      const ShortRun run = number < runs.count ? short_run(place) : ShortRun{};
      const std::uint32_t values = sum_up_to_lane(run.count);
      // From the first run of too many values on, they are left to all lanes.
      const std::uint32_t too_many = __ballot_sync(every_lane, values > left_);
      if (too_many != 0) {
        lanes = lowest_one(too_many) - 1;
        end = __shfl_sync(every_lane, place, static_cast<int>(lanes));
      }
      const std::uint32_t count =
          __shfl_sync(every_lane, values, static_cast<int>((lanes - 1) % lanes_of_warp));
      write_short_runs(run, values - run.count, lanes == 0 ? 0 : count);
    }
    // All have read what was kept.
    __syncwarp();
    const bool has_runs = end != place_;
    place_ = end;
    return has_runs;
  }

  // Of each byte of the region, the bytes of a short run that would begin there.
  __device__ void find_lengths() {
    const std::uint32_t lane = lane_number();
    std::uint32_t place = place_ + lane;
    std::uint32_t ends = __ballot_sync(every_lane, bytes_.byte(place) < 0x80);
    for (std::uint32_t byte = lane; byte < region_bytes; byte += lanes_of_warp) {
      const std::uint32_t later_ends = __ballot_sync(every_lane, bytes_.byte(place + lanes_of_warp) < 0x80);
      lengths_[byte] =
          static_cast<std::uint8_t>(length_of_short_run(place, __funnelshift_r(ends, later_ends, lane)));
      ends = later_ends;
      place += lanes_of_warp;
    }
  }

  // Of each byte of the lane's part, where runs from there on leave it. From its end on: the exit of a byte
  // is that of the byte after its run.
  __device__ void find_exits() {
    const std::uint8_t* const lengths = lengths_ + lane_number() * part_bytes;
    std::uint16_t* const exits = exits_ + lane_number() * exits_of_part;
    for (std::uint32_t byte = part_bytes; byte-- != 0;) {
      const std::uint32_t length = lengths[byte];
      const std::uint32_t end = byte + length;
      std::uint32_t exit = end;
      if (length != 0) exit = (end < part_bytes ? exits[end] : end) + (1U << runs_shift);
      exits[byte] = static_cast<std::uint16_t>(exit);
    }
  }

  // Follows the runs from part to part, then each lane those of its own. Keeps where they begin, counted from
  // place_.
  __device__ Runs find_runs() {
    const std::uint32_t lane = lane_number();
    Runs runs = {.count = 0, .end = place_};
    std::uint32_t first_run = 0;
    // Where a run begins, counted from the part's begin: it may be in a later one.
    std::uint32_t entry = part_bytes;
    std::uint32_t next = 0;
    for (std::uint32_t part = 0; part < lanes_of_warp; ++part) {
      if (lane == part) {
        first_run = runs.count;
        entry = next;
      }
      if (next < part_bytes) {
        const std::uint32_t exit = exits_[part * exits_of_part + next];
        runs.count += exit >> runs_shift;
        next = exit % (1U << runs_shift);
        if (next < part_bytes) break;
      }
      next -= part_bytes;
      runs.end += part_bytes;
    }
    runs.end += next;
    // All have read exits, which these replace.
    __syncwarp();
    const std::uint32_t begin = lane * part_bytes;
    while (entry < part_bytes) {
      const std::uint32_t length = lengths_[begin + entry];
      if (length == 0) break;
      exits_[first_run] = static_cast<std::uint16_t>(begin + entry);
      ++first_run;
      entry += length;
    }
    return runs;
  }

  // The calling lane's: the short run that begins at `begin`.
  __device__ ShortRun short_run(std::uint32_t begin) const {
    using namespace format::codag;
    const std::uint32_t first = bytes_.byte(begin);
    const auto kind = static_cast<RunKind>(first >> run_kind_shift);
    const std::uint32_t width = width_of_code(first >> 1 & 31) << width_shift;
    ShortRun run = {.count = ((first & 1) << 8 | bytes_.byte(begin + 1)) + 1,
                    .shape = equal_differences << kind_shift,
                    .first = 0,
                    .difference = 0};
    if (kind == RunKind::direct) {
      run.shape =
          packed_values << kind_shift | width | (begin + direct_header_bytes) % RegionBytes::buffer_bytes;
    } else if (kind == RunKind::short_repeat) {
      run.count = (first & 7) + fewest_repeats;
      run.first = decoded(bytes_.number(begin + repeat_header_bytes, 0, 8 * ((first >> 3 & 7) + 1)));
    } else {
      const std::uint32_t length = bytes_of_varint(bytes_, begin + delta_header_bytes);
      const std::uint32_t second = begin + delta_header_bytes + length;
      const std::uint32_t second_length = bytes_of_varint(bytes_, second);
      run.first = decoded(varint_at(bytes_, begin + delta_header_bytes, length));
      run.difference = zigzag_decoded(varint_at(bytes_, second, second_length));
      if (packed_bytes_of(first, run.count) != 0) {
        run.shape = packed_differences << kind_shift | width |
                    (second + second_length) % RegionBytes::buffer_bytes |
                    static_cast<std::uint32_t>(run.difference >> 63) << falls_shift;
      }
    }
    return run;
  }

  // Writes the first `count` values of all lanes' runs, of which the calling lane's begins with value
  // `start`.
  __device__ void write_short_runs(const ShortRun& run, std::uint32_t start, std::uint32_t count) {
    const std::uint32_t lane = lane_number();
    // Runs that start before `group`, and the last value before it.
    std::uint32_t earlier = 0;
    std::uint64_t last = 0;
    for (std::uint32_t group = 0; group < count; group += lanes_of_warp) {
      const bool starts_here = run.count != 0 && start - group < lanes_of_warp;
      const std::uint32_t starts = bits_of_all(starts_here ? std::uint32_t{1} << (start - group) : 0);
      const std::uint32_t starts_so_far = starts & (lower_lanes() | std::uint32_t{1} << lane);
      const auto source = static_cast<int>(earlier + count_of_ones(starts_so_far) - 1);
      const std::uint32_t shape = __shfl_sync(every_lane, run.shape, source);
      const std::uint32_t index = group + lane - __shfl_sync(every_lane, start, source);
      const std::uint64_t first = __shfl_sync(every_lane, run.first, source);
      const std::uint64_t difference = __shfl_sync(every_lane, run.difference, source);
      const std::uint32_t kind = shape >> kind_shift & 3;
      const bool has_differences = kind == packed_differences;
      std::uint64_t value = first + difference * index;
      if (kind == packed_values) value = decoded(packed_number(shape, index));
      if (__any_sync(every_lane, has_differences) != 0) {
        std::uint64_t step = 0;
        if (has_differences && index == 1) step = difference;
        if (has_differences && index > 1) {
          const std::uint64_t number = packed_number(shape, index - 2);
          step = (shape >> falls_shift & 1) != 0 ? std::uint64_t{0} - number : number;
        }
        const std::uint64_t sum = sum_up_to_lane(step);
        const std::uint32_t start_here = highest_one(starts_so_far);
        const std::uint64_t sum_at_start =
            __shfl_sync(every_lane, sum, static_cast<int>(start_here == 0 ? 0 : start_here - 1));
        if (has_differences) value = start_here == 0 ? last + sum : first + sum - sum_at_start;
        last = __shfl_sync(every_lane, value, lanes_of_warp - 1);
      }
      if (group + lane < count) values_.store(next_ + group + lane, value);
      earlier += count_of_ones(starts);
    }
    next_ += count;
    left_ -= count;
  }

  // A short run's packed number.
  __device__ std::uint64_t packed_number(std::uint32_t shape, std::uint32_t index) const {
    const std::uint32_t width = shape >> width_shift & 127;
    return bytes_.number(shape % RegionBytes::buffer_bytes, index * width, width);
  }

  // What precedes a run's packed numbers, and all of a run that has none.
  __device__ Problem start_run() {
    using namespace format::codag;
    run_ = place_;
    if (is_at_end()) return Problem::too_few_values;
    const std::uint32_t first = bytes_.byte(place_);
    kind_ = static_cast<RunKind>(first >> run_kind_shift);
    was_long_ = is_long_here();
    if (kind_ == RunKind::short_repeat) return repeat(first);
    const std::uint32_t count = ((first & 1) << 8 | bytes_.byte(place_ + 1)) + 1;
    width_ = width_of_code(first >> 1 & 31);
    if (kind_ == RunKind::patched_base) return start_patched(count);
    const std::uint32_t end = place_ + direct_header_bytes;
    if (end > bytes_.end()) return Problem::cut_run;
    if (count > left_) return Problem::too_many_values;
    if (kind_ == RunKind::delta) return start_differences(count, (first >> 1 & 31) != 0, end);
    packed_left_ = count;
    place_ = end;
    return packed_bytes(count, width_) > bytes_left(end) ? Problem::cut_run : Problem::none;
  }

  __device__ Problem repeat(std::uint32_t first) {
    using namespace format::codag;
    const std::uint32_t count = (first & 7) + fewest_repeats;
    const std::uint32_t bytes = (first >> 3 & 7) + 1;
    const std::uint32_t begin = place_ + repeat_header_bytes;
    if (count > left_) return Problem::too_many_values;
    if (begin + bytes > bytes_.end()) return Problem::cut_run;
    return write_run(decoded(bytes_.number(begin, 0, 8 * bytes)), count, 0, begin + bytes);
  }

  __device__ Problem start_differences(std::uint32_t count, bool is_packed, std::uint32_t begin) {
    const std::uint32_t length = varint_length(bytes_, begin);
    if (is_overlong(bytes_, begin, length)) return Problem::overlong_varint;
    // Cut ones are told before overlong ones that would follow.
    if (length > bytes_left(begin)) return Problem::cut_run;
    const std::uint32_t second = begin + length;
    const std::uint32_t second_length = varint_length(bytes_, second);
    if (is_overlong(bytes_, second, second_length)) return Problem::overlong_varint;
    if (second_length > bytes_left(second)) return Problem::cut_run;
    const std::uint32_t end = second + second_length;
    base_ = decoded(varint_at(bytes_, begin, length));
    const std::uint64_t difference = format::codag::zigzag_decoded(varint_at(bytes_, second, second_length));
    if (!is_packed || count <= 2) return write_run(base_, count, difference, end);
    if (format::codag::packed_bytes(count - 2, width_) > bytes_left(end)) return Problem::cut_run;
    packed_left_ = count - 2;
    write_run(base_, 2, difference, end);
    base_ += difference;
    falls_ = difference >> 63 != 0;
    return Problem::none;
  }

  __device__ Problem start_patched(std::uint32_t count) {
    using namespace format::codag;
    const std::uint32_t third = bytes_.byte(place_ + 2);
    const std::uint32_t fourth = bytes_.byte(place_ + 3);
    const std::uint32_t begin = place_ + patched_header_bytes;
    if (begin > bytes_.end()) return Problem::cut_run;
    if (count > left_) return Problem::too_many_values;
    const std::uint32_t base_bits = 8 * ((third >> 5) + 1);
    const std::uint32_t gap_width = (fourth >> 5) + 1;
    const std::uint32_t patch_width = width_of_code(third & 31);
    if (width_ == widest || gap_width + patch_width > widest) return Problem::width_out_of_range;
    const std::uint32_t entry_width = width_of_code(code_of_bits(gap_width + patch_width));
    const std::uint32_t entries = fourth & 31;
    const std::uint64_t stored_base = bytes_.number(begin, 0, base_bits);
    const std::uint64_t sign = std::uint64_t{1} << (base_bits - 1);
    base_ = (stored_base & sign) != 0 ? std::uint64_t{0} - (stored_base ^ sign) : stored_base;
    const std::uint32_t end = begin + base_bits / 8;
    const std::uint32_t values_bytes = packed_bytes(count, width_);
    const std::uint32_t entries_bytes = packed_bytes(entries, entry_width);
    if (end > bytes_.end() || values_bytes + entries_bytes > bytes_left(end)) return Problem::cut_run;
    if (!find_patches(end + values_bytes, entries, entry_width, patch_width, count)) {
      return Problem::patch_out_of_range;
    }
    packed_left_ = count;
    place_ = end;
    entries_bytes_ = entries_bytes;
    return Problem::none;
  }

  // Lane k gets the k-th patch. They follow all numbers of the run: they are looked up far ahead in the
  // stream. False if the place of one is wrong.
  __device__ bool find_patches(std::uint32_t position, std::uint32_t entries, std::uint32_t entry_width,
                               std::uint32_t patch_width, std::uint32_t count) {
    const std::uint32_t lane = lane_number();
    std::uint64_t entry = 0;
    if (lane < entries) {
      std::uint32_t byte = position + lane * entry_width / 8;
      const std::uint32_t skew = lane * entry_width % 8;
      entry = bytes_.far_byte(byte) & 0xffU >> skew;
      // Entries of more than 57 bits have 64, and begin with a byte.
      std::uint32_t taken = 8 - skew;
      for (; taken < entry_width; taken += 8) entry = entry << 8 | bytes_.far_byte(++byte);
      entry >>= taken - entry_width;
    }
    // Not by all 64 bits: a gap has one at least.
    const std::uint64_t gap = entry >> patch_width;
    const bool is_wide = gap >= format::codag::longest_wide_run;
    const std::uint32_t place = sum_up_to_lane(is_wide ? count : static_cast<std::uint32_t>(gap));
    const bool is_wrong = lane < entries && (place >= count || (gap == 0 && lane != 0));
    patch_ = entry & ((std::uint64_t{1} << patch_width) - 1);
    patch_place_ = lane < entries ? place : no_place;
    earlier_patches_ = 0;
    return __any_sync(every_lane, is_wrong) == 0;
  }

  // Numbers of up to 32 bits of a direct run, which has all of its bytes: as many as are held.
  __device__ void decode_direct() {
    const std::uint32_t bytes_of_group = lanes_of_warp / 8 * width_;
    // A lane may look at the eight bytes from the last number's first byte on.
    const std::uint32_t most = (RegionBytes::held_bytes - 8) / bytes_of_group * lanes_of_warp;
    const std::uint32_t count = at_most(packed_left_, most);
    if (values_.has_words(sizeof(std::uint64_t))) {
      write_direct<std::uint64_t>(count);
    } else if (values_.has_words(sizeof(std::uint32_t))) {
      write_direct<std::uint32_t>(count);
    } else {
      write_direct<void>(count);
    }
    next_ += count;
    left_ -= count;
    packed_left_ -= count;
    place_ += format::codag::packed_bytes(count, width_);
  }

  // `count` of these, by values that are words in memory, or of any kind. What does not change is computed
  // before the loop: all of it for each 32 values took 90 instructions, this takes 25.
  template <typename Word>
  __device__ void write_direct(std::uint32_t count) const {
    const std::uint32_t bit = lane_number() * width_;
    const std::uint32_t to_right = 32 - width_;
    const std::uint32_t sign = is_signed_ ? 1 : 0;
    std::uint32_t place = place_;
    for (std::uint32_t value = lane_number(); value < count; value += lanes_of_warp) {
      const std::uint32_t number = bytes_.bits(place, bit) >> to_right;
      const std::uint32_t high = 0 - (number & sign);
      const std::uint64_t decoded_number = std::uint64_t{high} << 32 | (number >> sign ^ high);
      if constexpr (std::is_void_v<Word>) {
        values_.store(next_ + value, decoded_number);
      } else {
        values_.template words<Word>()[next_ + value] = static_cast<Word>(decoded_number);
      }
      place += lanes_of_warp / 8 * width_;
    }
  }

  // Up to 32 numbers of a run, which has all of its bytes.
  __device__ void decode_packed() {
    const std::uint32_t lane = lane_number();
    const std::uint32_t count = packed_left_ < lanes_of_warp ? packed_left_ : lanes_of_warp;
    const std::uint64_t number = lane < count ? bytes_.number(place_, lane * width_, width_) : 0;
    std::uint64_t value = 0;
    if (kind_ == RunKind::direct) {
      value = decoded(number);
    } else if (kind_ == RunKind::delta) {
      const std::uint64_t sum =
          width_ < narrow_width ? sum_up_to_lane(static_cast<std::uint32_t>(number)) : sum_up_to_lane(number);
      value = base_ + (falls_ ? std::uint64_t{0} - sum : sum);
      base_ = __shfl_sync(every_lane, value, lanes_of_warp - 1);
    } else {
      value = base_ + (number | patch_of_value());
    }
    if (lane < count) values_.store(next_ + lane, value);
    next_ += count;
    left_ -= count;
    packed_left_ -= count;
    // 32 numbers are whole bytes.
    place_ += format::codag::packed_bytes(count, width_);
    if (packed_left_ == 0) {
      place_ += entries_bytes_;
      entries_bytes_ = 0;
    }
  }

  // The bits that a patch gives the number of the calling lane. Places of patches count from here.
  __device__ std::uint64_t patch_of_value() {
    const bool is_here = patch_place_ < lanes_of_warp;
    const std::uint32_t places = bits_of_all(is_here ? std::uint32_t{1} << patch_place_ : 0);
    if (patch_place_ != no_place) patch_place_ -= lanes_of_warp;
    if (places == 0) return 0;
    const auto source = static_cast<int>(earlier_patches_ + count_of_ones(places & lower_lanes()));
    const std::uint64_t patch = __shfl_sync(every_lane, patch_, source);
    earlier_patches_ += count_of_ones(places);
    return (places >> lane_number() & 1) != 0 ? patch << width_ : 0;
  }

  __device__ static std::uint32_t at_most(std::uint32_t number, std::uint32_t most) {
    return number < most ? number : most;
  }

  static constexpr std::uint32_t no_place = 0xffffffff;

  RegionBytes bytes_;
  std::uint8_t* lengths_;
  std::uint16_t* exits_;
  PlainValues<> values_;
  bool is_signed_;
  std::uint32_t left_;
  std::uint32_t next_ = 0;
  // Where the next run, or packed number of it, begins, and that of a problem.
  std::uint32_t place_;
  std::uint32_t run_;
  // Whether the run before was not short: the next one may be followed by such a one, too.
  bool was_long_ = false;
  // Packed numbers of the run that are still to be read, their width, and bytes that follow them.
  RunKind kind_ = RunKind::direct;
  std::uint32_t packed_left_ = 0;
  std::uint32_t width_ = 0;
  std::uint32_t entries_bytes_ = 0;
  // What numbers are added to, and whether they are subtracted.
  std::uint64_t base_ = 0;
  bool falls_ = false;
  // The lane's patch, its place from the next number on, and how many patches were before that.
  std::uint64_t patch_ = 0;
  std::uint32_t patch_place_ = no_place;
  std::uint32_t earlier_patches_ = 0;
};

}  // namespace
}  // namespace gsst::codag
