#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "stages/gsst/10_wide_encoder/kernel_6_gpu_training.cuh"

// What the symbols of a trained table are worth to format tiles, which cannot hold all of them: what a sample
// of the input takes without each, as SampleAnalyser of the reference codec says of the greedy parse.
namespace {
namespace training {

// Bytes on which symbols are weighed, at most.
constexpr std::uint32_t weighed_bytes = 512u << 10;
constexpr std::uint32_t weighed_chunks = weighed_bytes / sample_chunk_bytes;
// Of an input that is weighed as a whole, bytes that are parsed by themselves.
constexpr std::uint32_t weighed_piece_bytes = 1024;

// What the kernels leave to each other, in the executor's memory.
struct WeighedTable {
  TrainedTable table;
  // For each symbol the codes that the pieces would take more without it.
  std::uint32_t losses[byte_items];
};

// One thread block of `threads` threads with sizeof(Shared) bytes of shared memory, and a Scratch whose
// pair_counts are zero: the table of all blocks.
__global__ void __launch_bounds__(threads)
    train_symbols(FrameParts parts, Scratch* scratch, WeighedTable* weighed) {
  GSST_SHARED_MEMORY(shared_bytes);
  const TrainedTable& table = train_table(parts, *reinterpret_cast<Shared*>(shared_bytes), *scratch, 0);
  for (std::uint32_t number = threadIdx.x; number < byte_items; number += blockDim.x) {
    weighed->table.symbols[number] = table.symbols[number];
    weighed->table.lengths[number] = table.lengths[number];
    weighed->losses[number] = 0;
  }
  if (threadIdx.x == 0) weighed->table.symbol_count = table.symbol_count;
}

// A warp weighs a piece.
constexpr unsigned weighing_threads = 128;
// Four times the symbols: the lanes of a warp wait for the longest search.
constexpr std::uint32_t weighing_slots = 4 * byte_items;

// A piece in shared memory.
struct WeighedPiece {
  // For each position the lengths of the symbols there: bit n for n + 1 bytes.
  std::uint8_t lengths[weighed_piece_bytes];
  // Where the symbols of the greedy parse start.
  std::uint16_t matches[weighed_piece_bytes];
  std::uint32_t match_count;
};

// Shared memory of a thread block that weighs.
struct WeighingShared {
  std::uint64_t symbols[byte_items];
  std::uint32_t lengths[byte_items];
  std::uint32_t losses[byte_items];
  // For each byte the lengths of the symbols that start with it: bit n for n + 1 bytes.
  std::uint32_t lengths_of_byte[byte_items];
  // The symbols' numbers, and 1, by a hash of their bytes and lengths; 0 in a slot without one.
  std::uint32_t slots[weighing_slots];
  WeighedPiece pieces[weighing_threads / 32];
};

__device__ inline std::uint32_t weighing_slot(std::uint64_t bytes, std::uint32_t length) {
  return static_cast<std::uint32_t>((bytes * 0x9e3779b97f4a7c15 + length * 0xc2b2ae3d27d4eb4f) >> 54);
}

// Pieces of the input that are weighed.
GSST_HOST_DEVICE inline std::uint32_t weighed_piece_count(std::uint64_t input_bytes) {
  if (input_bytes > weighed_bytes) return weighed_chunks;
  return static_cast<std::uint32_t>(gsst::format::part_size(input_bytes, weighed_piece_bytes));
}

__device__ inline InputPiece weighed_piece(const InputCut& cut, std::uint32_t number) {
  if (cut.input_bytes > weighed_bytes) {
    const std::uint64_t begin = gsst::reference::sample_chunk_begin(number, cut.input_bytes / weighed_chunks,
                                                                    gsst::reference::default_training_seed);
    return {.bytes = cut.input + begin, .size = sample_chunk_bytes};
  }
  const std::uint32_t begin = number * weighed_piece_bytes;
  const auto left = static_cast<std::uint32_t>(cut.input_bytes) - begin;
  return {.bytes = cut.input + begin, .size = left < weighed_piece_bytes ? left : weighed_piece_bytes};
}

// All threads of a block.
__device__ inline void load_symbols(const TrainedTable& table, WeighingShared& shared) {
  for (std::uint32_t slot = threadIdx.x; slot < weighing_slots; slot += blockDim.x) shared.slots[slot] = 0;
  for (std::uint32_t number = threadIdx.x; number < byte_items; number += blockDim.x) {
    shared.symbols[number] = table.symbols[number];
    shared.lengths[number] = table.lengths[number];
    shared.losses[number] = 0;
    shared.lengths_of_byte[number] = 0;
  }
  __syncthreads();
  for (std::uint32_t number = threadIdx.x; number < table.symbol_count; number += blockDim.x) {
    const std::uint64_t symbol = shared.symbols[number];
    const std::uint32_t length = shared.lengths[number];
    atomicOr(&shared.lengths_of_byte[symbol & 0xff], 1u << (length - 1));
    std::uint32_t slot = weighing_slot(symbol, length);
    while (atomicCAS(&shared.slots[slot], 0u, number + 1) != 0) slot = (slot + 1) % weighing_slots;
  }
  __syncthreads();
}

// The number of the symbol that is the first `length` bytes of `word`, or `nothing`.
__device__ inline std::uint32_t find_symbol(const WeighingShared& shared, std::uint64_t word,
                                            std::uint32_t length) {
  const std::uint64_t bytes = low_bytes(word, length);
  for (std::uint32_t slot = weighing_slot(bytes, length);; slot = (slot + 1) % weighing_slots) {
    const std::uint32_t entry = shared.slots[slot];
    if (entry == 0) return nothing;
    if (shared.symbols[entry - 1] == bytes && shared.lengths[entry - 1] == length) return entry - 1;
  }
}

// The lengths of the symbols at the start of `word`, of which `left` bytes are input: bit n for n + 1 bytes.
__device__ inline std::uint32_t lengths_at(const WeighingShared& shared, std::uint64_t word,
                                           std::uint32_t left) {
  const std::uint32_t possible = shared.lengths_of_byte[word & 0xff];
  std::uint32_t lengths = 0;
  for (std::uint32_t length = 1; length <= max_symbol_length && length <= left; ++length) {
    const std::uint32_t bit = 1u << (length - 1);
    if ((possible & bit) != 0 && find_symbol(shared, word, length) != nothing) lengths |= bit;
  }
  return lengths;
}

// The largest of a set of lengths, 0 of none.
__device__ inline std::uint32_t longest_of(std::uint32_t lengths) {
  lengths |= lengths >> 1;
  lengths |= lengths >> 2;
  lengths |= lengths >> 4;
  return static_cast<std::uint32_t>(std::popcount(lengths));
}

// The least codes for the `length` bytes of a symbol without it. `lengths` has eight bits for each byte: the
// lengths of the symbols there.
__device__ inline std::uint32_t cost_of_own_bytes(std::uint64_t lengths, std::uint32_t length) {
  constexpr std::uint32_t literal_codes = 2;
  // Of the bytes behind the one at hand, the next one lowest.
  std::uint64_t costs = 0;
  std::uint32_t cost = 0;
  for (std::uint32_t byte = length; byte-- > 0;) {
    const std::uint32_t longest = byte == 0 ? length - 1 : length - byte;
    const auto found = static_cast<std::uint32_t>(lengths >> (8 * byte)) & ((1u << longest) - 1);
    cost = literal_codes + static_cast<std::uint32_t>(costs & 0xff);
    for (std::uint32_t n = 0; n < longest; ++n) {
      const std::uint32_t with_symbol = 1 + static_cast<std::uint32_t>(costs >> (8 * n) & 0xff);
      if ((found >> n & 1) != 0 && with_symbol < cost) cost = with_symbol;
    }
    costs = costs << 8 | cost;
  }
  return cost;
}

// 8 bytes of a piece from `position` on; zeros behind its end.
__device__ inline std::uint64_t word_of(const InputPiece& piece, std::uint32_t position) {
  std::uint64_t word = 0;
  for (std::uint32_t byte = 0; byte < 8 && position + byte < piece.size; ++byte) {
    word |= std::uint64_t{piece.bytes[position + byte]} << (8 * byte);
  }
  return word;
}

// All lanes: follows the greedy parse of a piece and adds up what each symbol saves. Only the walk from one
// match to the next is serial.
__device__ inline void weigh_piece(WeighingShared& shared, WeighedPiece& own, const InputPiece& piece) {
  const std::uint32_t lane = threadIdx.x % 32;
  for (std::uint32_t position = lane; position < piece.size; position += 32) {
    own.lengths[position] =
        static_cast<std::uint8_t>(lengths_at(shared, word_of(piece, position), piece.size - position));
  }
  __syncwarp();
  if (lane == 0) {
    own.match_count = 0;
    for (std::uint32_t position = 0; position < piece.size;) {
      const std::uint32_t length = longest_of(own.lengths[position]);
      if (length != 0) own.matches[own.match_count++] = static_cast<std::uint16_t>(position);
      position += length == 0 ? 1 : length;
    }
  }
  __syncwarp();
  for (std::uint32_t match = lane; match < own.match_count; match += 32) {
    const std::uint32_t position = own.matches[match];
    const std::uint32_t length = longest_of(own.lengths[position]);
    std::uint64_t lengths = 0;
    for (std::uint32_t byte = 0; byte < length; ++byte) {
      lengths |= std::uint64_t{own.lengths[position + byte]} << (8 * byte);
    }
    const std::uint32_t number = find_symbol(shared, word_of(piece, position), length);
    atomicAdd(&shared.losses[number], cost_of_own_bytes(lengths, length) - 1);
  }
}

// A piece a warp. Blocks of weighing_threads threads with sizeof(WeighingShared) bytes of shared memory.
__global__ void __launch_bounds__(weighing_threads) weigh_symbols(InputCut cut, WeighedTable* weighed) {
  GSST_SHARED_MEMORY(shared_bytes);
  auto& shared = *reinterpret_cast<WeighingShared*>(shared_bytes);
  load_symbols(weighed->table, shared);
  const std::uint32_t warp = threadIdx.x / 32;
  const std::uint32_t piece = blockIdx.x * (weighing_threads / 32) + warp;
  if (piece < weighed_piece_count(cut.input_bytes)) {
    weigh_piece(shared, shared.pieces[warp], weighed_piece(cut, piece));
  }
  __syncthreads();
  for (std::uint32_t number = threadIdx.x; number < weighed->table.symbol_count; number += blockDim.x) {
    if (shared.losses[number] != 0) atomicAdd(&weighed->losses[number], shared.losses[number]);
  }
}

}  // namespace training
}  // namespace
