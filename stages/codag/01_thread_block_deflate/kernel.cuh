#pragma once

#include <cstdint>

#include "common/format/codag/deflate.hpp"
#include "common/stage/frame_on_device.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/shared_memory.hpp"
#include "stages/codag/shared/coded_chunk.cuh"
#include "stages/codag/shared/deflate.cuh"
#include "stages/codag/shared/low_bit_stream.cuh"
#include "stages/codag/shared/parameters.hpp"
#include "stages/codag/shared/prefix_code.cuh"
#include "stages/codag/shared/ring_bytes.cuh"
#include "stages/codag/shared/warp_lanes.cuh"
#include "stages/codag/shared/word_bytes.cuh"

// A thread block decodes a chunk: a warp reads ahead, one decodes, one writes (paper, section II-C): what the
// paper argues against.
namespace gsst::codag {
namespace {

constexpr std::uint32_t reading_warp = 0;
constexpr std::uint32_t leading_warp = 1;
constexpr std::uint32_t deflate_block_threads = 3 * lanes_of_warp;

enum class WrittenKind : std::uint16_t { literal, match, stored };

// What the leader has decoded.
struct DeflateSymbol {
  // Of the first byte in the chunk's output.
  std::uint32_t place;
  WrittenKind kind;
  std::uint16_t count;
  // The byte, the distance, or where the bytes are in the payload.
  std::uint32_t value;
};

struct DeflateBatch {
  DeflateSymbol symbols[most_symbols];
  std::uint32_t count;
  bool is_last;
  // Where the leader has come to in the stream.
  std::uint32_t position;
};

// What a thread block has in shared memory. While one batch is written, the leader fills the other.
struct DeflateBlockMemory {
  std::uint8_t ring[bytes_of_ring];
  DeflateTables tables;
  DeflateBatch batches[2];
};

// The leader ends a batch early after so many bytes, so that it does not come to the end of the ring before
// the ring is filled again. The longest symbol is what precedes a dynamic section's elements: 316 lengths of
// at most 7 bits each.
constexpr std::uint32_t bytes_of_deflate_batch = 512;
constexpr std::uint32_t most_bytes_of_symbol = 320;
// While a batch is decoded, the ring is filled for the begin of the one before.
static_assert(2 * (bytes_of_deflate_batch + most_bytes_of_symbol) + 2 * peeked_bytes + line_bytes <=
              bytes_of_ring);

// Stands for the output stream of the leader, and keeps what it would write. All lanes of the leading warp
// count; one stores.
class BatchOutput {
public:
  __device__ BatchOutput(const std::uint8_t* stream, std::uint32_t bytes)
      : stream_(stream), bytes_(bytes), left_(bytes) {}

  __device__ void begin_batch(DeflateBatch& batch) {
    batch_ = &batch;
    count_ = 0;
  }
  // Symbols of the batch.
  __device__ std::uint32_t count() const { return count_; }

  __device__ std::uint32_t left() const { return left_; }
  __device__ void write_value(std::uint32_t byte) { keep(WrittenKind::literal, 1, byte); }
  __device__ void copy(std::uint32_t offset, std::uint32_t count) { keep(WrittenKind::match, count, offset); }
  __device__ void write_bytes(const std::uint8_t* bytes, std::uint32_t count) {
    keep(WrittenKind::stored, count, static_cast<std::uint32_t>(bytes - stream_));
  }

private:
  __device__ void keep(WrittenKind kind, std::uint32_t count, std::uint32_t value) {
    if (lane_number() == 0) {
      batch_->symbols[count_] = {
          .place = bytes_ - left_, .kind = kind, .count = static_cast<std::uint16_t>(count), .value = value};
    }
    ++count_;
    left_ -= count;
  }

  const std::uint8_t* stream_;
  std::uint32_t bytes_;
  std::uint32_t left_;
  DeflateBatch* batch_ = nullptr;
  std::uint32_t count_ = 0;
};

// All lanes of the leading warp: decodes symbols until `batch` is full or there is nothing more.
template <typename Input>
__device__ inline void decode_deflate_batch(Deflate<TablesOfWarp>& deflate, Input& input,
                                            std::uint32_t symbols, BatchOutput& output,
                                            format::codag::DeflateStatus& problem, DeflateBatch& batch) {
  const std::uint32_t begin = input.position();
  output.begin_batch(batch);
  while (output.count() < symbols && input.position() - begin < bytes_of_deflate_batch &&
         problem == format::codag::DeflateStatus::decoded && !deflate.is_done()) {
    problem = deflate.step(input, output);
  }
  if (lane_number() == 0) {
    batch.count = output.count();
    batch.is_last = problem != format::codag::DeflateStatus::decoded || deflate.is_done();
    batch.position = input.position();
  }
}

// All lanes of the writing warp: first the literals, a lane each, then all else in its order.
__device__ inline void write_deflate_batch(const CodedChunk& chunk, const DeflateBatch& batch) {
  static_assert(most_symbols <= lanes_of_warp);
  const std::uint32_t lane = lane_number();
  const bool is_literal = lane < batch.count && batch.symbols[lane].kind == WrittenKind::literal;
  if (is_literal) {
    chunk.output[batch.symbols[lane].place] = static_cast<std::uint8_t>(batch.symbols[lane].value);
  }
  const std::uint32_t literals = __ballot_sync(every_lane, is_literal);
  const WordBytes output(chunk.output);
  for (std::uint32_t number = 0; number < batch.count; ++number) {
    if ((literals >> number & 1) != 0) continue;
    const DeflateSymbol symbol = batch.symbols[number];
    if (symbol.kind == WrittenKind::match) {
      output.copy(symbol.place, symbol.value, symbol.count);
    } else {
      output.write_bytes(symbol.place, chunk.stream + symbol.value, symbol.count);
    }
  }
}

// All threads, for a chunk that is not raw. The status; that of the leading warp counts.
__device__ inline std::uint32_t decode_deflate(const CodedChunk& chunk, std::uint32_t symbols,
                                               DeflateBlockMemory& memory) {
  using format::codag::DeflateStatus;
  const std::uint32_t warp = threadIdx.x / lanes_of_warp;
  LowBitStream input(RingBytes(chunk.stream, chunk.stream_bytes, memory.ring));
  RingFiller filler(chunk.stream, chunk.stream_bytes, memory.ring);
  Deflate<TablesOfWarp> deflate(chunk, memory.tables);
  BatchOutput output(chunk.stream, chunk.values);
  auto problem = DeflateStatus::decoded;
  if (warp == reading_warp) filler.fill(0);
  __syncthreads();
  bool is_last = false;
  std::uint32_t position = 0;
  for (std::uint32_t round = 0;; ++round) {
    DeflateBatch& batch = memory.batches[round % 2];
    if (warp == reading_warp) {
      filler.fill(position);
    } else if (warp == leading_warp) {
      if (!is_last) decode_deflate_batch(deflate, input, symbols, output, problem, batch);
    } else if (round > 0) {
      write_deflate_batch(chunk, memory.batches[(round - 1) % 2]);
    }
    if (is_last) break;
    __syncthreads();
    is_last = batch.is_last;
    position = batch.position;
  }
  return deflate_chunk_status(problem, deflate, output.left());
}

// A thread block of deflate_block_threads threads for each chunk, with a DeflateBlockMemory of shared memory.
__global__ void __launch_bounds__(deflate_block_threads)
    decode_deflate_chunks(stage::FrameOnDevice frame, std::uint8_t* output, std::uint32_t* status,
                          std::uint32_t symbols) {
  GSST_SHARED_MEMORY(memory);
  const stage::BlockOnDevice block = frame.block(blockIdx.x, output);
  std::uint32_t result = 0;
  if (block.layout == format::BlockLayout::raw) {
    copy_bytes<BlockTeam>(block.payload, block.uncompressed_bytes, block.output);
  } else {
    result = decode_deflate(byte_chunk(block), symbols, *reinterpret_cast<DeflateBlockMemory*>(memory));
  }
  if (threadIdx.x == leading_warp * lanes_of_warp) status[blockIdx.x] = result;
}

}  // namespace
}  // namespace gsst::codag
