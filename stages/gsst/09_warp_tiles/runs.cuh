#pragma once

#include <cstdint>

#include "stages/gsst/09_warp_tiles/strips.cuh"

/// Runs: blocks behind each other that share a table, whose strips the thread blocks take in their order.
namespace {

/// Most blocks of a run; none crosses a multiple of it. Shared memory holds their list, and beside the
/// largest table, of 10 bits, there is to be room for 11 warps.
constexpr std::uint32_t run_blocks = 224;
/// Blocks of a run that a lane looks at.
constexpr std::uint32_t blocks_per_lane = run_blocks / 32;

/// A block of a run as its warps need it.
struct alignas(16) RunBlock {
  const std::uint8_t* tiles;
  std::uint8_t* output;
  std::uint32_t code_count;
  std::uint32_t strip_tiles;
  std::uint32_t strip_count;
  std::uint32_t uncompressed_bytes;
};

/// Which strips of a run a warp takes: those of one of several counters, which hand out the run's strips in
/// turn, since additions to one word follow each other. The warps of a thread block use all counters.
struct StripNumbers {
  std::uint32_t counters;
  std::uint32_t counter;

  __device__ StripNumbers(std::uint32_t warp, std::uint32_t warps)
      : counters(warps < strip_counters ? warps : strip_counters), counter((blockIdx.x + warp) % counters) {}

  /// The run's strip that number `taken` of the counter stands for.
  __device__ __forceinline__ std::uint32_t strip(std::uint32_t taken) const {
    return taken * counters + counter;
  }
};

/// A run in shared memory.
struct RunBlocks {
  RunBlock blocks[run_blocks];
  /// Strips of all blocks up to and with each one.
  alignas(16) std::uint32_t strip_ends[run_blocks];
};

// The warps' output behind it begins at whole lines.
static_assert(sizeof(RunBlocks) % line_bytes == 0);

/// A strip of a run: block `block` of the run, strip `strip` of the block.
struct RunStrip {
  std::uint32_t block;
  std::uint32_t strip;

  __device__ bool exists() const { return block < run_blocks; }
};

/// A block as the search for runs sees it.
struct TableUse {
  bool has_shape;
  std::uint32_t dictionary_id;

  /// What block `index` of the frame uses. Without a branch, so that a thread that asks for two blocks waits
  /// for memory as long as for one: of a block that is stored as it is the same bytes are loaded too, and not
  /// looked at; min_bytes_after_block bytes of the frame follow each block.
  __device__ __forceinline__ TableUse(const FrameOnDevice& frame, std::uint32_t index, TileShape wanted) {
    const BlockOnDevice block = frame.block(index, nullptr);
    const TilesHeader header(block.payload);
    const TileShape shape = header.shape();
    has_shape = static_cast<bool>(static_cast<unsigned>(block.layout != BlockLayout::raw) &
                                  static_cast<unsigned>(shape.code_bits == wanted.code_bits) &
                                  static_cast<unsigned>(shape.codes_per_lane == wanted.codes_per_lane));
    dictionary_id = header.dictionary_id();
  }

  /// Whether the block behind this one has the same shape and the same table.
  __device__ __forceinline__ bool is_shared_with(const TableUse& next) const {
    return has_shape && next.has_shape && next.dictionary_id == dictionary_id + 1;
  }
};

/// Whether a run begins with block `index`.
__device__ bool starts_run(const FrameOnDevice& frame, std::uint32_t index, TileShape shape) {
  const TableUse before(frame, index == 0 ? 0 : index - 1, shape);
  const TableUse block(frame, index, shape);
  return block.has_shape && (index % run_blocks == 0 || !before.is_shared_with(block));
}

/// The first block of a run of `shape` that has strips left, looked for from another place by each thread
/// block; no_block if there is none. All threads call it together, behind the last use of shared memory by
/// any of them. `nearest` is a word of shared memory.
__device__ std::uint32_t choose_run(const FrameOnDevice& frame, TileShape shape, const Counters& counters,
                                    unsigned* nearest) {
  const auto start = static_cast<std::uint32_t>(std::uint64_t{blockIdx.x} * frame.block_count / gridDim.x);
  __syncthreads();
  if (threadIdx.x == 0) *nearest = 0;
  for (std::uint32_t first = 0; first < frame.block_count; first += blockDim.x) {
    __syncthreads();
    const std::uint32_t distance = first + threadIdx.x;
    if (distance < frame.block_count) {
      const std::uint32_t block = (start + distance) % frame.block_count;
      if (starts_run(frame, block, shape) && atomicAdd(counters.is_taken(block), 0u) == 0) {
        atomicMax(nearest, frame.block_count - distance);
      }
    }
    __syncthreads();
    const std::uint32_t found = *nearest;
    if (found != 0) return (start + frame.block_count - found) % frame.block_count;
  }
  return no_block;
}

/// Writes the blocks of the run that starts with block `index` to `run`. The thread block does it together;
/// behind its next barrier add_strips() can follow.
__device__ void list_blocks(const FrameOnDevice& frame, std::uint32_t index, TileShape shape,
                            std::uint8_t* output, RunBlocks& run) {
  const std::uint32_t most = run_blocks - index % run_blocks;
  for (std::uint32_t i = threadIdx.x; i < run_blocks; i += blockDim.x) {
    run.blocks[i].strip_count = 0;
    if (i >= most || index + i >= frame.block_count) continue;
    const TableUse before(frame, index + i - (i == 0 ? 0 : 1), shape);
    const TableUse use(frame, index + i, shape);
    if (i != 0 && !before.is_shared_with(use)) continue;
    const BlockOnDevice block = frame.block(index + i, output);
    const TilesHeader header(block.payload);
    run.blocks[i] = {.tiles = header.tile(0),
                     .output = block.output,
                     .code_count = header.code_count(),
                     .strip_tiles = header.tiles_per_strip(),
                     .strip_count = header.strip_count(),
                     .uncompressed_bytes = header.uncompressed_bytes()};
  }
}

/// Adds up the strips of the listed blocks. Behind the next barrier of the thread block the run is whole.
__device__ void add_strips(RunBlocks& run) {
  if (threadIdx.x >= 32) return;
  // The run ends in front of the first block without strips.
  const std::uint32_t lane = threadIdx.x;
  std::uint32_t strips[blocks_per_lane];
  std::uint32_t sum = 0;
  bool ended = false;
#pragma unroll
  for (std::uint32_t i = 0; i < blocks_per_lane; ++i) {
    strips[i] = run.blocks[blocks_per_lane * lane + i].strip_count;
    ended = ended || strips[i] == 0;
    if (ended) strips[i] = 0;
    sum += strips[i];
  }
  const std::uint32_t lanes_that_end = __ballot_sync(all_lanes, ended);
  const bool ended_before = (lanes_that_end & ((1u << lane) - 1)) != 0;
  std::uint32_t end = WarpSum(ended_before ? 0 : sum, lane).before;
#pragma unroll
  for (std::uint32_t i = 0; i < blocks_per_lane; ++i) {
    if (!ended_before) end += strips[i];
    run.strip_ends[blocks_per_lane * lane + i] = end;
  }
}

/// Strip `number` of the run, counted through its blocks. A warp looks for it together.
__device__ __forceinline__ RunStrip find_strip(const RunBlocks& run, std::uint32_t number,
                                               std::uint32_t lane) {
  std::uint32_t before = 0;
#pragma unroll
  for (std::uint32_t i = 0; i < blocks_per_lane; ++i) {
    before += run.strip_ends[blocks_per_lane * lane + i] <= number ? 1 : 0;
  }
  // All blocks of the first lanes end before the strip, and none of the last lanes'.
  const std::uint32_t whole_lanes = count_bits(__ballot_sync(all_lanes, before == blocks_per_lane));
  const std::uint32_t in_lane = __shfl_sync(all_lanes, before, static_cast<int>(whole_lanes % 32));
  const std::uint32_t block = blocks_per_lane * whole_lanes + (whole_lanes == 32 ? 0 : in_lane);
  const bool is_first = block == 0 || block >= run_blocks;
  return {.block = block, .strip = number - (is_first ? 0 : run.strip_ends[block - 1])};
}

/// What a warp reads of a strip of a run, up to its end.
template <std::uint32_t CodeBits, std::uint32_t CodesPerLane>
struct StripReader {
  using Codes = LaneCodes<CodeBits, CodesPerLane>;

  /// The strip's first tile.
  const std::uint8_t* tiles;
  /// The stored offset of the strip's output.
  const std::uint8_t* output_offset;
  /// Codes from the strip's start to the end of the block.
  std::uint32_t codes;

  /// Strip `place` of the run, or its first one if there is none.
  __device__ __forceinline__ StripReader(const RunBlocks& run, const RunStrip& place) {
    const RunBlock& block = run.blocks[place.exists() ? place.block : 0];
    const std::uint32_t strip = place.exists() ? place.strip : 0;
    const std::uint32_t first_tile = strip * block.strip_tiles;
    const std::uint32_t tile_count = (block.code_count + Codes::shape().codes() - 1) / Codes::shape().codes();
    tiles = block.tiles + std::uint64_t{first_tile} * Codes::shape().bytes();
    output_offset =
        block.tiles + std::uint64_t{tile_count} * Codes::shape().bytes() + std::uint64_t{strip} * 4;
    codes = block.code_count - first_tile * Codes::shape().codes();
  }

  /// Starts to load where the strip's output begins and ends. Up to 7 bytes behind that are loaded too: a
  /// block and its frame go on there.
  __device__ __forceinline__ StripBoundsWords load_bounds(std::uint32_t misalignment) const {
    StripBoundsWords bounds;
#pragma unroll
    for (std::uint32_t i = 0; i < 3; ++i) {
      load_constant_words<1>(output_offset - misalignment % 4 + 4 * i, bounds.words + i);
    }
    return bounds;
  }
  /// Starts to load codes of the strip's tile `tile`, as BlockReader::start_load().
  __device__ __forceinline__ void start_load(Codes& to, std::uint32_t tile, std::uint32_t lane,
                                             std::uint32_t misalignment) const {
    to.load_aligned(tiles - misalignment + std::uint64_t{tile} * Codes::shape().bytes(), lane);
  }
  /// Puts in its place what start_load() has loaded, or loads again what it could not load as it stands.
  __device__ __forceinline__ void complete(Codes& to, std::uint32_t tile, std::uint32_t lane,
                                           std::uint32_t misalignment) const {
    to.settle(lane);
    if (misalignment != 0) to.load(tiles + std::uint64_t{tile} * Codes::shape().bytes(), lane);
  }
};

/// The bounds of a strip of `block` that has been loaded.
__device__ __forceinline__ StripBounds bounds_of(const RunBlock& block, std::uint32_t strip,
                                                 const StripBoundsWords& loaded, std::uint32_t misalignment) {
  const std::uint32_t shift = misalignment % 4 * 8;
  return {.begin = shift_words(loaded.words[0], loaded.words[1], shift),
          .end = strip + 1 == block.strip_count ? block.uncompressed_bytes
                                                : shift_words(loaded.words[1], loaded.words[2], shift)};
}

}  // namespace
