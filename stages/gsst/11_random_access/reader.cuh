#pragma once

#include <cstdint>

#include "common/stage/frame_on_device.hpp"
#include "stages/gsst/11_random_access/output.cuh"
#include "stages/gsst/11_random_access/warp.cuh"

/// How a warp decodes ranges of a block, step by step. A step is 256 codes, 8 consecutive ones of each lane.
/// First the lanes add up the lengths of their codes; if nothing of the step is wanted, this is all that is
/// done with it. Else the lanes decode 32 consecutive codes at a time, from the first one that matters to the
/// last one.
namespace {

using gsst::stage::BlockStatus;

constexpr std::uint32_t codes_of_lane = 8;
constexpr std::uint32_t step_codes = warp_lanes * codes_of_lane;

/// What a lane knows of its codes in a step.
struct LaneCodes {
  /// Bytes that each code puts out, 0 to 8; 0 for codes that do not exist. The first one is in the lowest 8
  /// bits.
  std::uint64_t lengths;
  /// A bit for each code: it is a byte by itself, behind an escape.
  std::uint32_t escaped;
  /// A code has no symbol.
  bool is_wrong;
};

/// Of 8 numbers in bytes, whose sum is at most 255: byte i is the sum of numbers 0 to i.
__device__ inline std::uint64_t running_sums(std::uint64_t bytes) {
  return bytes * 0x0101010101010101;
}

/// Decodes what ranges want of a block's parts, its splits or strips. It remembers the step in which a range
/// ends: a range behind it goes on from there. All lanes of a warp call the functions together.
///
/// Parts has
/// - count(), find(byte), begin(part): how many parts, the one that holds a byte, where one's output starts;
/// - open(part): what follows is about this part; returns the number of its codes;
/// - load(first): the lane's codes of the step that starts at code `first`, as they are stored;
/// - lane_codes(stored, first, count): what they are, of which the lane has `count`; the steps come in order,
///   and what follows is about this one;
/// - ends_rightly(): whether the part can end behind the last step;
/// - symbol(index, is_escaped, symbols): what code `index` of the step puts out;
/// - has_halves(), join(index, exists, length, half): whether codes without output are joined with what is
///   put out next, and what that is for the lane's code.
template <typename Parts>
class PartReader {
public:
  __device__ explicit PartReader(Parts& parts) : parts_(parts) {}

  /// Decodes the item's parts, as far as its range wants them. `symbols`: the block's symbols in shared
  /// memory, by code, or nullptr.
  __device__ BlockStatus decode(const RangeItem& item, const std::uint64_t* symbols) {
    const bool stands_there = part_ != no_part && begin_ <= item.begin && item.begin < end_;
    std::uint32_t part = stands_there ? part_ : parts_.find(item.begin);
    // One that starts in the slice before is that item's.
    if (item.begin != item.wanted_begin && parts_.begin(part) < item.begin) ++part;
    BlockStatus worst = BlockStatus::decoded;
    while (part < parts_.count()) {
      const std::uint32_t begin = part == part_ ? begin_ : parts_.begin(part);
      if (begin >= item.end) break;
      const BlockStatus result = decode_part(part, begin, item, symbols);
      if (result != BlockStatus::decoded) part_ = no_part;
      if (result > worst) worst = result;
      ++part;
    }
    return worst;
  }

private:
  static constexpr std::uint32_t no_part = 0xffffffff;
  // Steps whose codes are loaded before the first of them is looked at.
  static constexpr std::uint32_t steps_ahead = 4;

  __device__ BlockStatus decode_part(std::uint32_t part, std::uint32_t begin, const RangeItem& item,
                                     const std::uint64_t* symbols) {
    bool has_step = part == part_ && can_go_on(item.wanted_begin);
    if (has_step) {
      half_ = 0;
    } else {
      open(part, begin);
    }
    // One place for each function that all lanes go through: copies of them would take many registers.
    std::uint64_t stored[steps_ahead] = {};
    std::uint32_t loaded = 0;
    while (true) {
      if (has_step && step_end_ >= item.wanted_begin) write_step(item, symbols);
      if (next_ >= codes_ || !wants_more(item)) break;
      if (loaded == 0) {
        loaded = steps_to_load(item);
#pragma unroll
        for (std::uint32_t i = 0; i < steps_ahead; ++i) {
          if (i < loaded) stored[i] = parts_.load(next_ + i * step_codes);
        }
      }
      const BlockStatus result = take_step(stored[0]);
      if (result != BlockStatus::decoded) return result;
      has_step = true;
      --loaded;
#pragma unroll
      for (std::uint32_t i = 0; i + 1 < steps_ahead; ++i) stored[i] = stored[i + 1];
    }
    if (wants_more(item) && !parts_.ends_rightly()) return BlockStatus::escape_at_end;
    return step_end_ < end_ && wants_more(item) ? BlockStatus::output_too_short : BlockStatus::decoded;
  }

  __device__ void open(std::uint32_t part, std::uint32_t begin) {
    part_ = part;
    begin_ = begin;
    end_ = parts_.begin(part + 1);
    codes_ = parts_.open(part);
    next_ = 0;
    step_end_ = begin;
    half_ = 0;
  }

  // Whether the step that was taken last can be the first one for a range that starts at `wanted_begin`. What
  // comes with the first byte of a step, from codes before it, is known at the part's start only.
  __device__ bool can_go_on(std::uint32_t wanted_begin) const {
    return next_ != 0 && (next_ == step_codes || position_ < wanted_begin);
  }

  // A range that wants the part's last byte wants the codes behind as well: they must not put out anything.
  __device__ bool wants_more(const RangeItem& item) const {
    return step_end_ < item.wanted_end || item.wanted_end >= end_;
  }

  // As many as the next wanted byte, or the last one, is likely to be away: no more is read than needed.
  __device__ std::uint32_t steps_to_load(const RangeItem& item) const {
    const std::uint32_t left = (codes_ - next_ + step_codes - 1) / step_codes;
    const std::uint32_t target = step_end_ < item.wanted_begin ? item.wanted_begin : item.wanted_end;
    const std::uint32_t bytes = (target < end_ ? target : end_) - step_end_;
    const float part_of_rest = static_cast<float>(bytes) / static_cast<float>(end_ - step_end_ + 1);
    const auto away =
        1 + static_cast<std::uint32_t>(part_of_rest * static_cast<float>(codes_ - next_)) / step_codes;
    const std::uint32_t likely = away < left ? away : left;
    return likely < steps_ahead ? likely : steps_ahead;
  }

  // What the lane's codes of the step put out.
  __device__ std::uint32_t lane_bytes() const {
    return static_cast<std::uint32_t>(running_sums(lane_.lengths) >> 56);
  }

  __device__ BlockStatus take_step(std::uint64_t stored) {
    const std::uint32_t first = next_ + this_lane() * codes_of_lane;
    const std::uint32_t left = first < codes_ ? codes_ - first : 0;
    lane_ = parts_.lane_codes(stored, next_, left < codes_of_lane ? left : codes_of_lane);
    const std::uint32_t bytes = sum_of_lanes(lane_bytes());
    if (__any_sync(whole_warp, lane_.is_wrong)) return BlockStatus::code_without_symbol;
    if (bytes > end_ - step_end_) return BlockStatus::output_too_long;
    position_ = step_end_;
    has_lane_begin_ = false;
    step_end_ += bytes;
    next_ += step_codes;
    return BlockStatus::decoded;
  }

  // Decodes what is wanted of the step that was taken last, which does not end before the first wanted byte.
  __device__ void write_step(const RangeItem& item, const std::uint64_t* symbols) {
    if (!has_lane_begin_) lane_begin_ = position_ + LaneSums<std::uint32_t>(lane_bytes()).before;
    has_lane_begin_ = true;
    const std::uint32_t reaches =
        __ballot_sync(whole_warp, lane_begin_ + lane_bytes() >= item.wanted_begin ? 1 : 0);
    // What comes with the first byte of the first lane that reaches there is not wanted, but at lane 0.
    std::uint32_t source = first_lane(reaches) + this_lane() / codes_of_lane;
    const std::uint32_t shift = 8 * (this_lane() % codes_of_lane);
    const std::uint32_t step = next_ - step_codes;
    for (std::uint32_t first = first_lane(reaches) * codes_of_lane;
         first < step_codes && step + first < codes_;
         first += warp_lanes, source += warp_lanes / codes_of_lane) {
      const auto from = static_cast<int>(source % warp_lanes);
      const std::uint64_t lengths = __shfl_sync(whole_warp, lane_.lengths, from);
      const std::uint32_t escaped = __shfl_sync(whole_warp, lane_.escaped, from);
      const std::uint32_t begin_of_source = __shfl_sync(whole_warp, lane_begin_, from);
      const std::uint32_t index = first + this_lane();
      const bool exists = source < warp_lanes && step + index < codes_;
      const std::uint32_t length = exists ? static_cast<std::uint32_t>(lengths >> shift & 0xff) : 0;
      const std::uint32_t end =
          begin_of_source + static_cast<std::uint32_t>(running_sums(lengths) >> shift & 0xff);
      const std::uint32_t begin = end - length;
      const std::uint32_t joined = parts_.has_halves() ? parts_.join(index, exists, length, half_) : 0;
      if (length != 0 && end > item.wanted_begin && begin < item.wanted_end) {
        const bool is_escaped = (escaped >> (this_lane() % codes_of_lane) & 1) != 0;
        write_wanted(item, begin, length, joined | parts_.symbol(index, is_escaped, symbols));
      }
      if (__any_sync(whole_warp, exists && end >= item.wanted_end)) break;
    }
  }

  Parts& parts_;
  std::uint32_t part_ = no_part;
  // Where the part's output starts and ends in the block's, and how many codes it has.
  std::uint32_t begin_ = 0;
  std::uint32_t end_ = 0;
  std::uint32_t codes_ = 0;
  // The code behind the step that was taken last; 0 if none was. Where the step's output starts and ends.
  std::uint32_t next_ = 0;
  std::uint32_t position_ = 0;
  std::uint32_t step_end_ = 0;
  // The lane's codes of that step, and where their output starts, once a range wants some of the step.
  LaneCodes lane_ = {};
  std::uint32_t lane_begin_ = 0;
  bool has_lane_begin_ = false;
  // What the first byte that is put out next is joined with.
  std::uint32_t half_ = 0;
};

}  // namespace
