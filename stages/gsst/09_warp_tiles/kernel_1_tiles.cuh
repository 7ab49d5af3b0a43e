#pragma once

#include <cstdint>

#include "common/stage/shared_memory.hpp"
#include "stages/gsst/09_warp_tiles/strips.cuh"

/// Step 1: a warp decodes a tile. One table for all lanes, which wait for each other's banks; lengths are
/// looked up.
namespace {
namespace tiles {

constexpr std::uint32_t piece_bytes = 16;

/// The lengths of a lane's codes in bits, each looked up.
template <std::uint32_t CodeBits, std::uint32_t CodesPerLane>
struct LaneLengths {
  std::uint32_t words[CodesPerLane / 4];
  std::uint32_t sum;

  /// Only the first `count` codes have a length. `lengths` holds those of all codes.
  __device__ __forceinline__ LaneLengths(const LaneCodes<CodeBits, CodesPerLane>& codes,
                                         const std::uint8_t* lengths, std::int32_t count) {
    sum = 0;
#pragma unroll
    for (std::uint32_t i = 0; i < CodesPerLane; ++i) {
      const std::uint32_t length = static_cast<std::int32_t>(i) < count ? lengths[codes.code(i)] : 0;
      words[i / 4] = i % 4 == 0 ? length : words[i / 4] | length << (8 * (i % 4));
      sum += length;
    }
  }
};

/// Puts the output of a strip together in shared memory and writes it in pieces of 16 bytes.
class StripOutput {
public:
  __device__ StripOutput(std::uint8_t* stage, std::uint32_t lane) : stage_(stage), lane_(lane) {}

  __device__ __forceinline__ void begin(std::uint8_t* output) {
    filled_ = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(output) % piece_bytes);
    first_piece_ = output - filled_;
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
    auto* const words = reinterpret_cast<unsigned long long*>(stage_);
    const unsigned long long partial_word = __shfl_sync(all_lanes, carried_, static_cast<int>(filled_ / 8));
    if (lane_ < filled_ / 8) words[lane_] = carried_;
    // No lane fills the last word: the lanes that have a part of it join theirs.
    if (lane_ == 31) words[end / 8] = 0;

    const std::uint32_t first_bit = filled_ * 8 + lane_bits;
    unsigned long long word = lane_ == 0 ? partial_word : 0;
    std::uint32_t fill = first_bit % 64;
    unsigned long long* next = words + first_bit / 64;
#pragma unroll
    for (std::uint32_t i = 0; i < CodesPerLane; ++i) {
      const std::uint64_t symbol = *reinterpret_cast<const std::uint64_t*>(table + codes.code(i) * 8);
      const std::uint32_t bits = lengths.words[i / 4] >> (8 * (i % 4)) & 0xff;
      word |= symbol << fill;
      fill += bits;
      if (fill >= 64) {
        *next++ = word;
        fill -= 64;
        word = fill == 0 ? 0 : symbol >> (bits - fill);
      }
    }
    __syncwarp();
    if (word != 0) join_word(next, word);
    __syncwarp();
    end_ = end;
  }

  /// Writes what decode() has put together: whole pieces, and everything behind the strip's last tile.
  __device__ __forceinline__ void write(bool is_last) {
    const std::uint32_t pieces_end = end_ / piece_bytes * piece_bytes;
    const std::uint32_t write_end = is_last ? end_ : pieces_end;
    const std::uint32_t body_begin = (unwritten_ + piece_bytes - 1) / piece_bytes * piece_bytes;
    const std::uint32_t body_end = write_end / piece_bytes * piece_bytes;
    const bool has_body = body_begin < body_end;
    for (std::uint32_t byte = body_begin + piece_bytes * lane_; byte < body_end; byte += 32 * piece_bytes) {
      *reinterpret_cast<Words4*>(first_piece_ + byte) = *reinterpret_cast<const Words4*>(stage_ + byte);
    }
    // Where the strip begins and ends inside of 16 bytes.
    const std::uint32_t head_end = has_body || body_begin < write_end ? body_begin : write_end;
    if (unwritten_ + lane_ < head_end) first_piece_[unwritten_ + lane_] = stage_[unwritten_ + lane_];
    const std::uint32_t tail_begin = has_body ? body_end : head_end;
    if (tail_begin + lane_ < write_end) first_piece_[tail_begin + lane_] = stage_[tail_begin + lane_];

    const auto* const words = reinterpret_cast<const unsigned long long*>(stage_ + pieces_end);
    carried_ = lane_ <= end_ % piece_bytes / 8 ? words[lane_] : 0;
    if (pieces_end != 0) unwritten_ = 0;
    first_piece_ += pieces_end;
    filled_ = end_ - pieces_end;
    // The next tile overwrites the stage.
    __syncwarp();
  }

private:
  std::uint8_t* stage_;
  std::uint32_t lane_;
  // The piece of global memory that byte 0 of the stage belongs to.
  std::uint8_t* first_piece_ = nullptr;
  // Bytes of it that are decoded, and those that are written or belong to the strip before.
  std::uint32_t filled_ = 0;
  std::uint32_t unwritten_ = 0;
  std::uint32_t end_ = 0;
  // Word `lane` of the piece.
  unsigned long long carried_ = 0;
};

constexpr unsigned most_warps = 16;

/// Decodes the blocks of one shape. `output` and `status` as in DecodeRequest; status and `counters` are 0
/// before. A persistent thread block on each multiprocessor; shared memory: the table, control_bytes, a byte
/// for each code, and `stage_bytes` for each warp, a multiple of 256 and at least largest_tile_bytes.
template <std::uint32_t CodeBits, std::uint32_t CodesPerLane>
__global__ void __launch_bounds__(most_warps * 32, 1)
    decode_tiles(FrameOnDevice frame, std::uint8_t* output, std::uint32_t* status, Counters counters,
                 std::uint32_t stage_bytes) {
  using Codes = LaneCodes<CodeBits, CodesPerLane>;
  GSST_SHARED_MEMORY(shared);
  unsigned* const claimed = reinterpret_cast<unsigned*>(shared + Codes::shape().code_count() * 8);
  const std::uint32_t lane = threadIdx.x % 32;
  std::uint8_t* const code_lengths = shared + Codes::shape().code_count() * 8 + control_bytes;
  std::uint8_t* const stages = code_lengths + Codes::shape().code_count();
  StripOutput strip_output(stages + threadIdx.x / 32 * stage_bytes, lane);

  claim_block(frame, Codes::shape(), counters, claimed);
  for (std::uint32_t index = choose_block(frame, Codes::shape(), counters, claimed); index != no_block;
       index = choose_block(frame, Codes::shape(), counters, claimed)) {
    const BlockOnDevice block = frame.block(index, output);
    const TilesHeader header(block.payload);
    load_table<CodeBits, 1>(table_header(frame, index, header), reinterpret_cast<std::uint64_t*>(shared));
    for (std::uint32_t code = threadIdx.x; code < Codes::shape().code_count(); code += blockDim.x) {
      code_lengths[code] =
          static_cast<std::uint8_t>(8 * header.class_length(code / Codes::shape().class_codes()));
    }
    __syncthreads();
    claim_block(frame, Codes::shape(), counters, claimed);

    const BlockReader<CodeBits, CodesPerLane> reader(header);
    unsigned* const next_strip = counters.next_strip(index);
    for (std::uint32_t strip = taken_strip(ask_for_strip(next_strip, lane)); strip < reader.strip_count;
         strip = taken_strip(ask_for_strip(next_strip, lane))) {
      const StripBounds bounds = reader.bounds(strip, reader.load_bounds(strip));
      const std::uint32_t codes_from = reader.codes_from(strip);
      std::uint32_t left = bounds.end - bounds.begin;
      BlockStatus result = BlockStatus::decoded;
      strip_output.begin(block.output + bounds.begin);
      for (std::uint32_t tile = 0; tile < reader.strip_tiles; ++tile) {
        Codes codes;
        reader.load(codes, reader.first_tile(strip) + tile, lane);
        const std::uint32_t codes_left = codes_from - tile * Codes::shape().codes();
        const bool is_last = tile + 1 == reader.strip_tiles || codes_left <= Codes::shape().codes();
        const auto lane_codes = static_cast<std::int32_t>(
            codes_left < Codes::shape().codes() ? codes_left : Codes::shape().codes());
        const LaneLengths<CodeBits, CodesPerLane> lengths(
            codes, code_lengths, lane_codes - static_cast<std::int32_t>(lane * CodesPerLane));
        const WarpSum bits(lengths.sum, lane);
        const std::uint32_t tile_bytes = bits.total / 8;
        if (tile_bytes > left) {
          result = BlockStatus::output_too_long;
          break;
        }
        left -= tile_bytes;
        strip_output.decode(codes, lengths, bits.before, tile_bytes, shared);
        strip_output.write(is_last);
        if (is_last) break;
      }
      if (result == BlockStatus::decoded && left != 0) result = BlockStatus::output_too_short;
      if (lane == 0 && result != BlockStatus::decoded) {
        atomicMax(&status[index], gsst::stage::strip_status(result, strip));
      }
    }
  }
}

}  // namespace tiles
}  // namespace
