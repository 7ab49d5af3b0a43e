#pragma once

#include <cstdint>

#include "common/format/codag/orc_rle_v2.hpp"
#include "common/format/codag/status.hpp"
#include "common/stage/launch.hpp"
#include "stages/codag/shared/coded_chunk.cuh"
#include "stages/codag/shared/lane_masks.cuh"
#include "stages/codag/shared/plain_values.cuh"
#include "stages/codag/shared/warp_lanes.cuh"
#include "stages/codag/shared/window_bytes.cuh"
#include "stages/codag/shared/window_varint.cuh"

// Format orc_rle_v2: short runs a lane each; of other ones all lanes read what precedes the packed numbers,
// and each lane one of 32 of these.
namespace gsst::codag {
namespace {

// All lanes of a warp together.
class ParallelRunsV2 {
public:
  // The window, and a word for each lane.
  static constexpr std::uint32_t buffer_bytes = WindowBytes::buffer_bytes + lanes_of_warp * word_bytes;

  __device__ static CodedChunk chunk_of(const stage::BlockOnDevice& block) { return integer_chunk(block); }

  __device__ ParallelRunsV2(const CodedChunk& chunk, std::uint8_t* buffer)
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
      if (packed_left_ != 0) {
        decode_packed();
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
  using RunKind = format::codag::RunKind;

  // Longer runs are not short. A short one that begins in 32 bytes, and words that it ends in, are before
  // `reach`.
  static constexpr std::uint32_t most_short_bytes = 64;
  static constexpr std::uint32_t reach = lanes_of_warp + most_short_bytes + 2 * sizeof(std::uint64_t);

  // A varint of more bytes could have a 65th bit.
  static constexpr std::uint32_t most_simple_bytes = format::codag::max_varint_bytes - 1;

  // What a lane keeps of a short run: where it begins, counted from position_, its values, and of a delta run
  // the bytes of first value and first difference.
  static constexpr std::uint32_t count_shift = 9;
  static constexpr std::uint32_t first_length_shift = 19;
  static constexpr std::uint32_t second_length_shift = 23;
  static_assert(WindowBytes::held_bytes <= 1U << count_shift);

  // What a lane says of the run that would begin at its byte; 0 where none or no short one does.
  struct Guess {
    std::uint32_t values_and_end = 0;
    std::uint32_t lengths = 0;
  };
  static constexpr std::uint32_t values_shift = 8;

  // A short run as all lanes see it: where packed numbers begin, counted from position_, their width, and how
  // its values are made.
  static constexpr std::uint32_t width_shift = 9;
  static constexpr std::uint32_t kind_shift = 16;
  static constexpr std::uint32_t falls_shift = 18;
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

  __device__ std::uint32_t bytes_left(std::uint32_t position) const { return bytes_.count() - position; }

  // A run of equal differences, which ends at `end`.
  __device__ Problem write_run(std::uint64_t first, std::uint32_t count, std::uint64_t delta,
                               std::uint32_t end) {
    values_.write_run(next_, first, count, delta);
    next_ += count;
    left_ -= count;
    position_ = end;
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

  // That of the run that would begin at this lane's byte of the window. Bits of `ends` say for it and for the
  // bytes that follow which of them end a varint.
  __device__ Guess guess_at(std::uint32_t window, std::uint32_t ends) const {
    using namespace format::codag;
    const std::uint32_t begin = window + lane_number();
    const std::uint32_t first = bytes_.byte(begin);
    const auto kind = static_cast<RunKind>(first >> run_kind_shift);
    Guess guess;
    std::uint32_t count = (first & 7) + fewest_repeats;
    std::uint32_t bytes = repeat_header_bytes + (first >> 3 & 7) + 1;
    if (kind == RunKind::patched_base) return guess;
    if (kind != RunKind::short_repeat) {
      count = ((first & 1) << 8 | bytes_.byte(begin + 1)) + 1;
      bytes = direct_header_bytes + packed_bytes_of(first, count);
    }
    if (kind == RunKind::delta) {
      const std::uint32_t ends_here = ends >> delta_header_bytes;
      const std::uint32_t length = lowest_one(ends_here);
      const std::uint32_t second_length = lowest_one(ends_here >> length);
      if (length - 1 >= most_simple_bytes || second_length - 1 >= most_simple_bytes) return guess;
      bytes += length + second_length;
      guess.lengths = length << first_length_shift | second_length << second_length_shift;
    }
    if (bytes <= most_short_bytes && begin + bytes <= bytes_.count()) {
      guess.values_and_end = count << values_shift | (lane_number() + bytes);
    }
    return guess;
  }

  // Whether the run at position_ is not short, as its first two bytes say.
  __device__ bool is_long_here() const {
    const std::uint32_t first = bytes_.byte(position_);
    const auto kind = static_cast<RunKind>(first >> format::codag::run_kind_shift);
    const std::uint32_t count = ((first & 1) << 8 | bytes_.byte(position_ + 1)) + 1;
    return kind == RunKind::patched_base ||
           (kind != RunKind::short_repeat && packed_bytes_of(first, count) > most_short_bytes);
  }

  // Up to 32 short runs, without a problem in them. False if the next run is none.
  __device__ bool decode_short_runs() {
    if (is_long_here()) return false;
    const std::uint32_t lane = lane_number();
    std::uint32_t runs = 0;
    std::uint32_t values = 0;
    std::uint32_t offset = 0;
    bool is_complete = false;
    while (!is_complete && offset + reach <= WindowBytes::held_bytes) {
      const std::uint32_t window = position_ + offset;
      const std::uint32_t ends = __ballot_sync(every_lane, bytes_.byte(window + lane) < 0x80);
      const std::uint32_t later_ends =
          __ballot_sync(every_lane, bytes_.byte(window + lanes_of_warp + lane) < 0x80);
      const Guess guess = guess_at(window, __funnelshift_r(ends, later_ends, lane));
      std::uint32_t at = 0;
      while (at < lanes_of_warp) {
        const std::uint32_t header = __shfl_sync(every_lane, guess.values_and_end, static_cast<int>(at));
        const std::uint32_t count = header >> values_shift;
        is_complete = header == 0 || count > left_ - values || runs == lanes_of_warp;
        if (is_complete) break;
        if (lane == at) words_[runs] = (offset + lane) | count << count_shift | guess.lengths;
        ++runs;
        values += count;
        at = header & 0xff;
      }
      offset += at;
    }
    if (runs == 0) return false;
    __syncwarp();
    write_short_runs(lane < runs ? short_run(words_[lane]) : ShortRun{}, values);
    // All have read their words.
    __syncwarp();
    next_ += values;
    left_ -= values;
    position_ += offset;
    return true;
  }

  // The calling lane's: the run of which this was kept.
  __device__ ShortRun short_run(std::uint32_t word) const {
    using namespace format::codag;
    const std::uint32_t offset = word & ((1U << count_shift) - 1);
    const std::uint32_t begin = position_ + offset;
    const std::uint32_t first = bytes_.byte(begin);
    ShortRun run = {.count = word >> count_shift & 0x3ff,
                    .shape = equal_differences << kind_shift,
                    .first = 0,
                    .difference = 0};
    const std::uint32_t width = width_of_code(first >> 1 & 31) << width_shift;
    const auto kind = static_cast<RunKind>(first >> run_kind_shift);
    if (kind == RunKind::direct) {
      run.shape = packed_values << kind_shift | width | (offset + direct_header_bytes);
    } else if (kind == RunKind::short_repeat) {
      run.first = decoded(bytes_.number(begin + repeat_header_bytes, 0, 8 * ((first >> 3 & 7) + 1)));
    } else {
      const std::uint32_t length = word >> first_length_shift & 15;
      const std::uint32_t second_length = word >> second_length_shift & 15;
      const std::uint32_t second = begin + delta_header_bytes + length;
      run.first = decoded(varint_at(bytes_, begin + delta_header_bytes, length));
      run.difference = zigzag_decoded(varint_at(bytes_, second, second_length));
      if (packed_bytes_of(first, run.count) != 0) {
        run.shape = packed_differences << kind_shift | width |
                    (offset + delta_header_bytes + length + second_length) |
                    static_cast<std::uint32_t>(run.difference >> 63) << falls_shift;
      }
    }
    return run;
  }

  // Writes the `count` values of all lanes' runs.
  __device__ void write_short_runs(const ShortRun& run, std::uint32_t count) const {
    const std::uint32_t lane = lane_number();
    const std::uint32_t start = sum_up_to_lane(run.count) - run.count;
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
  }

  // A short run's packed number.
  __device__ std::uint64_t packed_number(std::uint32_t shape, std::uint32_t index) const {
    const std::uint32_t width = shape >> width_shift & 127;
    return bytes_.number(position_ + (shape & ((1U << width_shift) - 1)), index * width, width);
  }

  // What precedes a run's packed numbers, and all of a run that has none.
  __device__ Problem start_run() {
    using namespace format::codag;
    run_ = position_;
    if (is_at_end()) return Problem::too_few_values;
    const std::uint32_t first = bytes_.byte(position_);
    kind_ = static_cast<RunKind>(first >> run_kind_shift);
    if (kind_ == RunKind::short_repeat) return problem_of_repeat(first);
    const std::uint32_t count = ((first & 1) << 8 | bytes_.byte(position_ + 1)) + 1;
    width_ = width_of_code(first >> 1 & 31);
    if (kind_ == RunKind::patched_base) return start_patched(count);
    const std::uint32_t end = position_ + direct_header_bytes;
    if (end > bytes_.count()) return Problem::cut_run;
    if (count > left_) return Problem::too_many_values;
    if (kind_ == RunKind::delta) return start_differences(count, (first >> 1 & 31) != 0, end);
    packed_left_ = count;
    position_ = end;
    return packed_bytes(count, width_) > bytes_left(end) ? Problem::cut_run : Problem::none;
  }

  // Of a short repeat. One without a problem was among the short runs.
  __device__ Problem problem_of_repeat(std::uint32_t first) const {
    return (first & 7) + format::codag::fewest_repeats > left_ ? Problem::too_many_values : Problem::cut_run;
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
    const std::uint32_t third = bytes_.byte(position_ + 2);
    const std::uint32_t fourth = bytes_.byte(position_ + 3);
    const std::uint32_t begin = position_ + patched_header_bytes;
    if (begin > bytes_.count()) return Problem::cut_run;
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
    if (end > bytes_.count() || values_bytes + entries_bytes > bytes_left(end)) return Problem::cut_run;
    if (!find_patches(end + values_bytes, entries, entry_width, patch_width, count)) {
      return Problem::patch_out_of_range;
    }
    packed_left_ = count;
    position_ = end;
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

  // Up to 32 numbers of a run, which has all of its bytes.
  __device__ void decode_packed() {
    const std::uint32_t lane = lane_number();
    const std::uint32_t count = packed_left_ < lanes_of_warp ? packed_left_ : lanes_of_warp;
    const std::uint64_t number = lane < count ? bytes_.number(position_, lane * width_, width_) : 0;
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
    position_ += format::codag::packed_bytes(count, width_);
    if (packed_left_ == 0) {
      position_ += entries_bytes_;
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

  static constexpr std::uint32_t no_place = 0xffffffff;

  WindowBytes bytes_;
  std::uint32_t* words_;
  PlainValues<> values_;
  bool is_signed_;
  std::uint32_t left_;
  std::uint32_t next_ = 0;
  std::uint32_t position_ = 0;
  std::uint32_t run_ = 0;
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
