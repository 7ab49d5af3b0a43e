#pragma once

#include <cstdint>

#include "common/stage/shared_memory.hpp"
#include "stages/gsst/09_warp_tiles/class_lengths.cuh"
#include "stages/gsst/09_warp_tiles/runs.cuh"

/// Step 9: the thread blocks take strips of blocks that share a table in their order, and stay in one place
/// of the memory together; codes of 8, 10 and 12 bits.
namespace {
namespace one_front {

/// Puts the output of a strip together in shared memory and writes it in whole lines.
class StripOutput {
public:
  __device__ StripOutput(std::uint8_t* stage, std::uint32_t stage_bytes, std::uint32_t lane)
      : first_stage_(stage), stage_(stage), half_bytes_(stage_bytes / 2), lane_(lane) {}

  __device__ __forceinline__ void begin(std::uint8_t* output) {
    filled_ = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(output) % line_bytes);
    line_ = output - filled_;
    unwritten_ = filled_;
    carried_ = 0;
  }

  /// Decodes a tile of `tile_bytes` bytes; `lane_bits` bits of it come from lower lanes.
  template <std::uint32_t CodeBits, std::uint32_t CodesPerLane>
  __device__ __forceinline__ void decode(const LaneCodes<CodeBits, CodesPerLane>& codes,
                                         const LaneLengths<CodeBits, CodesPerLane>& lengths,
                                         std::uint32_t lane_bits, std::uint32_t tile_bytes,
                                         const std::uint8_t* table) {
    const std::uint32_t end = filled_ + tile_bytes;
    choose_half(end);
    auto* const words = reinterpret_cast<unsigned long long*>(stage_);
    const unsigned long long partial_word = __shfl_sync(all_lanes, carried_, static_cast<int>(filled_ / 8));
    if (lane_ < filled_ / 8) words[lane_] = carried_;
    // No lane fills the last word: the lanes that have a part of it join theirs.
    if (lane_ == 31) words[end / 8] = 0;

    const std::uint32_t first_bit = filled_ * 8 + lane_bits;
    const unsigned long long before = lane_ == 0 ? partial_word : 0;
    LaneOutput output{.low = static_cast<std::uint32_t>(before),
                      .high = static_cast<std::uint32_t>(before >> 32),
                      .fill = first_bit % 64,
                      .address = shared_address(stage_) + first_bit / 64 * 8,
                      .one = unknown_one()};
    const std::uint32_t lane_offset = codes.lane_offset(lane_);
    std::uint64_t symbols[2][4];
    const auto load_group = [&](std::uint32_t group) {
#pragma unroll
      for (std::uint32_t i = 0; i < 4; ++i) {
        symbols[group % 2][i] = load_shared_word(table, codes.table_offset(4 * group + i, lane_offset));
      }
    };
    load_group(0);
#pragma unroll
    for (std::uint32_t group = 0; group < CodesPerLane / 4; ++group) {
      if (group + 1 < CodesPerLane / 4) load_group(group + 1);
#pragma unroll
      for (std::uint32_t i = 0; i < 4; ++i) {
        append_symbol(output, symbols[group % 2][i],
                      add_byte_products(lengths.words[group], 1u << (8 * i), output.fill));
      }
    }
    __syncwarp();
    if ((output.low | output.high) != 0) join_word(output);
    BulkStores::publish();
    __syncwarp();
    end_ = end;
  }

  /// Writes what decode() has put together: whole lines, and everything behind the strip's last tile.
  __device__ __forceinline__ void write(bool is_last) {
    const std::uint32_t lines_end = end_ / line_bytes * line_bytes;
    const std::uint32_t write_end = is_last ? end_ : lines_end;
    const std::uint32_t body_begin = (unwritten_ + 15) / 16 * 16;
    const std::uint32_t body_end = write_end / 16 * 16;
    const bool has_body = body_begin < body_end;
    stores_.start(line_ + body_begin, stage_ + body_begin, has_body ? body_end - body_begin : 0, lane_);
    // Where the strip begins and ends inside of 16 bytes.
    const std::uint32_t head_end = has_body || body_begin < write_end ? body_begin : write_end;
    if (unwritten_ + lane_ < head_end) line_[unwritten_ + lane_] = stage_[unwritten_ + lane_];
    const std::uint32_t tail_begin = has_body ? body_end : head_end;
    if (tail_begin + lane_ < write_end) line_[tail_begin + lane_] = stage_[tail_begin + lane_];

    const auto* const words = reinterpret_cast<const unsigned long long*>(stage_ + lines_end);
    carried_ = lane_ <= end_ % line_bytes / 8 ? words[lane_] : 0;
    if (lines_end != 0) unwritten_ = 0;
    line_ += lines_end;
    filled_ = end_ - lines_end;
    stage_ = stage_ == first_stage_ ? first_stage_ + half_bytes_ : first_stage_;
  }

  /// Waits until nothing is under way.
  __device__ __forceinline__ void finish() {
    stores_.wait<0>();
  }

private:
  // The half is free when the copy before the last one has read it. A tile that does not fit takes all.
  __device__ __forceinline__ void choose_half(std::uint32_t end) {
    const bool takes_all = end / line_bytes * line_bytes + line_bytes > half_bytes_;
    if (takes_all) stage_ = first_stage_;
    if (takes_all || took_all_) {
      stores_.wait<0>();
    } else {
      stores_.wait<1>();
    }
    took_all_ = takes_all;
    __syncwarp();
  }

  BulkStores stores_;
  std::uint8_t* first_stage_;
  std::uint8_t* stage_;
  std::uint32_t half_bytes_;
  std::uint32_t lane_;
  // The line of global memory that byte 0 of the stage belongs to.
  std::uint8_t* line_ = nullptr;
  // Bytes of it that are decoded, and those that are written or belong to the strip before.
  std::uint32_t filled_ = 0;
  std::uint32_t unwritten_ = 0;
  std::uint32_t end_ = 0;
  // Word `lane` of the line.
  unsigned long long carried_ = 0;
  bool took_all_ = false;
};

constexpr unsigned most_warps = 16;

/// Decodes the blocks of one shape. `output` and `status` as in DecodeRequest; status and `counters` are 0
/// before. A persistent thread block on each multiprocessor; shared memory: the table, control_bytes, a
/// RunBlocks, and `stage_bytes` for each warp, a multiple of 256 and at least largest_tile_bytes. Without
/// `Checked`, damaged codes write behind their strip: only to measure what the comparison costs.
template <std::uint32_t CodeBits, std::uint32_t CodesPerLane, bool Checked = true>
__global__ void __launch_bounds__(most_warps * 32, 1)
    decode_tiles(FrameOnDevice frame, std::uint8_t* output, std::uint32_t* status, Counters counters,
                 std::uint32_t stage_bytes) {
  using Codes = LaneCodes<CodeBits, CodesPerLane>;
  using Strip = StripReader<CodeBits, CodesPerLane>;
  GSST_SHARED_MEMORY(shared);
  check_shared_memory_begin(shared);
  unsigned* const nearest = reinterpret_cast<unsigned*>(shared + table_bytes<CodeBits>);
  RunBlocks& run = *reinterpret_cast<RunBlocks*>(shared + table_bytes<CodeBits> + control_bytes);
  const std::uint32_t lane = threadIdx.x % 32;
  std::uint8_t* const stages = shared + table_bytes<CodeBits> + control_bytes + sizeof(RunBlocks);
  StripOutput strip_output(stages + threadIdx.x / 32 * stage_bytes, stage_bytes, lane);
  const StripNumbers numbers(threadIdx.x / 32, blockDim.x / 32);
  const auto misalignment = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(frame.bytes) %
                                                       gsst::format::tiles_alignment);

  for (std::uint32_t first = choose_run(frame, Codes::shape(), counters, nearest); first != no_block;
       first = choose_run(frame, Codes::shape(), counters, nearest)) {
    unsigned* const next_strip = counters.next_strip(first, numbers.counter);
    const unsigned asked_first = ask_for_strip(next_strip, lane);
    const unsigned asked_second = ask_for_strip(next_strip, lane);
    const TilesHeader header(frame.block(first, output).payload);
    const ClassLengths class_lengths(header);
    list_blocks(frame, first, Codes::shape(), output, run);
    load_table<CodeBits, table_copies<CodeBits>>(table_header(frame, first, header),
                                                 reinterpret_cast<std::uint64_t*>(shared));
    __syncthreads();
    add_strips(run);
    __syncthreads();
    RunStrip place = find_strip(run, numbers.strip(taken_strip(asked_first)), lane);
    RunStrip following_place = find_strip(run, numbers.strip(taken_strip(asked_second)), lane);
    StripBoundsWords loaded_bounds = Strip(run, place).load_bounds(misalignment);
    Codes loaded;
    Strip(run, place).start_load(loaded, 0, lane, misalignment);
    while (place.exists()) {
      const RunBlock& block = run.blocks[place.block];
      const StripBounds bounds = bounds_of(block, place.strip, loaded_bounds, misalignment);
      const std::uint32_t strip_tiles = block.strip_tiles;
      const Strip strip(run, place);
      const Strip following(run, following_place);
      unsigned asked = 0;
      std::uint32_t left = bounds.end - bounds.begin;
      BlockStatus result = BlockStatus::decoded;
      strip_output.begin(block.output + bounds.begin);
      for (std::uint32_t tile = 0; tile < strip_tiles; ++tile) {
        Codes codes = loaded;
        strip.complete(codes, tile, lane, misalignment);
        const std::uint32_t codes_left = strip.codes - tile * Codes::shape().codes();
        const bool is_last = tile + 1 == strip_tiles || codes_left <= Codes::shape().codes();
        (is_last ? following : strip).start_load(loaded, is_last ? 0 : tile + 1, lane, misalignment);
        // Behind the wait for this tile's codes: a wait for one load is a wait for those under way beside it.
        if (tile == 0) {
          asked = ask_for_strip(next_strip, lane);
          loaded_bounds = following.load_bounds(misalignment);
        }
        const auto lane_codes = static_cast<std::int32_t>(
            codes_left < Codes::shape().codes() ? codes_left : Codes::shape().codes());
        const LaneLengths<CodeBits, CodesPerLane> lengths(
            codes, class_lengths, lane_codes - static_cast<std::int32_t>(lane * CodesPerLane));
        const WarpSum bits(lengths.sum, lane);
        const std::uint32_t tile_bytes = bits.total / 8;
        if (Checked && tile_bytes > left) {
          result = BlockStatus::output_too_long;
          following.start_load(loaded, 0, lane, misalignment);
          break;
        }
        left -= tile_bytes;
        strip_output.decode(codes, lengths, bits.before, tile_bytes, shared);
        strip_output.write(is_last);
        if (is_last) break;
      }
      if (result == BlockStatus::decoded && left != 0) result = BlockStatus::output_too_short;
      if (lane == 0 && result != BlockStatus::decoded) {
        atomicMax(&status[first + place.block], gsst::stage::strip_status(result, place.strip));
      }
      place = following_place;
      following_place = find_strip(run, numbers.strip(taken_strip(asked)), lane);
    }
    if (threadIdx.x == 0) atomicOr(counters.is_taken(first), 1u);
  }
  strip_output.finish();
}

}  // namespace one_front
}  // namespace
