#include "experiments/measure/shared/streaming_limit.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "common/cuda/error.hpp"
#include "experiments/measure/shared/event_timer.hpp"
#include "experiments/measure/shared/statistics.hpp"
#include "experiments/measure/shared/tile_ranges.hpp"

namespace gsst::experiments {
namespace {

constexpr unsigned most_threads = 1024;
constexpr unsigned warp_size = 32;

// How a word is read and written: plainly, or told to the caches as not needed again.
enum class Caching { plain, streaming };

template <Caching Kind>
__device__ uint4 load(const uint4* address) {
  if constexpr (Kind == Caching::streaming) {
    return __ldcs(address);
  } else {
    return *address;
  }
}

template <Caching Kind>
__device__ void store(uint4* address, const uint4& value) {
  if constexpr (Kind == Caching::streaming) {
    __stcs(address, value);
  } else {
    *address = value;
  }
}

__device__ uint4 combine(const uint4& a, const uint4& b) {
  return {a.x ^ b.x, a.y ^ b.y, a.z ^ b.z, a.w ^ b.w};
}

// Each thread block takes every gridDim.x-th tile, so that all of them advance along one front. A tile's
// reads are in flight while its words are written, and go into what the block's next tile writes: no read can
// be left out, and no write waits for one. All sizes within a tile are known to the compiler.
template <int Threads, int WordsPerThread, Caching Kind>
__global__ void __launch_bounds__(Threads)
    stream_tiles(const uint4* __restrict__ input, uint4* __restrict__ output, std::uint64_t written_words,
                 TileRanges ranges) {
  constexpr unsigned tile_words = Threads * WordsPerThread;
  uint4 sum = {0, 0, 0, 0};
  for (std::uint64_t tile = blockIdx.x; tile < ranges.tiles(); tile += gridDim.x) {
    const std::uint64_t read_begin = ranges.begin(tile);
    const auto read_count = static_cast<unsigned>(ranges.begin(tile + 1) - read_begin);
    const uint4* const source = input + read_begin + threadIdx.x;
    uint4 values[WordsPerThread];
#pragma unroll
    for (int i = 0; i < WordsPerThread; ++i) {
      values[i] = {0, 0, 0, 0};
      if (threadIdx.x + i * Threads < read_count) values[i] = load<Kind>(source + i * Threads);
    }
    uint4* const target = output + tile * tile_words + threadIdx.x;
    const std::uint64_t left = written_words - tile * tile_words;
#pragma unroll
    for (int i = 0; i < WordsPerThread; ++i) {
      if (left >= tile_words || threadIdx.x + i * Threads < left) store<Kind>(target + i * Threads, sum);
    }
#pragma unroll
    for (int i = 0; i < WordsPerThread; ++i) sum = combine(sum, values[i]);
    // More is read than written only where the text does not compress.
    for (unsigned word = threadIdx.x + tile_words; word < read_count; word += Threads) {
      sum = combine(sum, load<Kind>(input + read_begin + word));
    }
  }
}

// The first warps of each thread block read and the others write, each side along its own front.
template <int WordsPerThread>
__global__ void __launch_bounds__(most_threads)
    stream_by_warps(const uint4* __restrict__ input, std::uint64_t read_words, uint4* __restrict__ output,
                    std::uint64_t written_words, unsigned reading_threads) {
  const bool reads = threadIdx.x < reading_threads;
  const unsigned threads = reads ? reading_threads : blockDim.x - reading_threads;
  const unsigned thread = reads ? threadIdx.x : threadIdx.x - reading_threads;
  const std::uint64_t words = reads ? read_words : written_words;
  const std::uint64_t stride = std::uint64_t{gridDim.x} * threads * WordsPerThread;
  uint4 sum = {0, 0, 0, 0};
  for (std::uint64_t first = std::uint64_t{blockIdx.x} * threads * WordsPerThread + thread; first < words;
       first += stride) {
    uint4 values[WordsPerThread];
#pragma unroll
    for (int i = 0; i < WordsPerThread; ++i) {
      const std::uint64_t word = first + i * threads;
      if (word >= words) {
        values[i] = {0, 0, 0, 0};
      } else if (reads) {
        values[i] = input[word];
      } else {
        output[word] = sum;
      }
    }
    if (reads) {
#pragma unroll
      for (int i = 0; i < WordsPerThread; ++i) sum = combine(sum, values[i]);
    }
  }
  // Never true for the sum of a whole input but by chance, which no compiler knows: so no read can be left
  // out.
  if (reads && sum.x == 0x9e3779b9u && sum.y == 0x7f4a7c15u) output[0] = sum;
}

unsigned multiprocessors() {
  int device = 0;
  int count = 0;
  GSST_CUDA_CHECK(cudaGetDevice(&device));
  GSST_CUDA_CHECK(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device));
  return static_cast<unsigned>(count);
}

struct Words {
  explicit Words(const StreamingBuffers& buffers)
      : input(reinterpret_cast<const uint4*>(buffers.input)),
        read(buffers.read_bytes / sizeof(uint4)),
        output(reinterpret_cast<uint4*>(buffers.output)),
        written(buffers.written_bytes / sizeof(uint4)) {}

  const uint4* input;
  std::uint64_t read;
  uint4* output;
  std::uint64_t written;
};

std::string shape_name(const std::string& kind, unsigned threads, int words,
                       unsigned blocks_per_multiprocessor) {
  const std::string blocks = blocks_per_multiprocessor == 0
                                 ? "a block per tile"
                                 : std::to_string(blocks_per_multiprocessor) + " blocks per SM";
  return kind + " of " + std::to_string(threads) + " threads x " + std::to_string(words) + " words, " +
         blocks;
}

// 0 blocks per multiprocessor: as many blocks as tiles.
template <int Threads, int WordsPerThread, Caching Kind>
StreamingVariant tiles_variant(unsigned blocks_per_multiprocessor) {
  const unsigned blocks = blocks_per_multiprocessor * multiprocessors();
  return {shape_name("tiles", Threads, WordsPerThread, blocks_per_multiprocessor) +
              (Kind == Caching::streaming ? ", streaming" : ""),
          [=](const StreamingBuffers& buffers) {
            const Words words(buffers);
            constexpr std::uint64_t tile_words = Threads * WordsPerThread;
            const TileRanges ranges(words.read, (words.written + tile_words - 1) / tile_words);
            const unsigned grid = blocks == 0 ? static_cast<unsigned>(ranges.tiles()) : blocks;
            stream_tiles<Threads, WordsPerThread, Kind>
                <<<grid, Threads>>>(words.input, words.output, words.written, ranges);
            GSST_CUDA_CHECK(cudaGetLastError());
          }};
}

template <int WordsPerThread>
StreamingVariant warps_variant(unsigned threads, unsigned blocks_per_multiprocessor) {
  const unsigned blocks = blocks_per_multiprocessor * multiprocessors();
  return {shape_name("reading and writing warps", threads, WordsPerThread, blocks_per_multiprocessor),
          [=](const StreamingBuffers& buffers) {
            const Words words(buffers);
            const unsigned warps = threads / warp_size;
            const double share =
                static_cast<double>(words.read) / static_cast<double>(words.read + words.written);
            const auto wanted = static_cast<unsigned>(std::lround(share * warps));
            const unsigned reading_threads = std::clamp(wanted, 1u, warps - 1) * warp_size;
            stream_by_warps<WordsPerThread>
                <<<blocks, threads>>>(words.input, words.read, words.output, words.written, reading_threads);
            GSST_CUDA_CHECK(cudaGetLastError());
          }};
}

struct Shape {
  unsigned threads;
  unsigned blocks_per_multiprocessor;
};

template <int Threads, int WordsPerThread>
void add_tiles_variants(std::vector<StreamingVariant>& variants, std::initializer_list<unsigned> blocks) {
  for (const unsigned blocks_per_multiprocessor : blocks) {
    variants.push_back(tiles_variant<Threads, WordsPerThread, Caching::plain>(blocks_per_multiprocessor));
    variants.push_back(tiles_variant<Threads, WordsPerThread, Caching::streaming>(blocks_per_multiprocessor));
  }
}

template <int WordsPerThread>
void add_tiles_variants(std::vector<StreamingVariant>& variants) {
  add_tiles_variants<128, WordsPerThread>(variants, {16});
  add_tiles_variants<256, WordsPerThread>(variants, {0, 4, 8});
  add_tiles_variants<512, WordsPerThread>(variants, {1, 2, 4});
  add_tiles_variants<1024, WordsPerThread>(variants, {0, 1, 2});
}

double median_seconds(EventTimer& timer, unsigned repetitions, const std::function<void()>& enqueue) {
  enqueue();
  std::vector<double> seconds;
  for (unsigned i = 0; i < repetitions; ++i) seconds.push_back(timer.seconds(nullptr, enqueue));
  return summarize(seconds).median;
}

}  // namespace

std::vector<StreamingVariant> streaming_variants() {
  std::vector<StreamingVariant> variants;
  add_tiles_variants<1>(variants);
  add_tiles_variants<2>(variants);
  add_tiles_variants<4>(variants);
  add_tiles_variants<8>(variants);
  for (const auto& [threads, blocks] : {Shape{256, 8}, Shape{512, 4}, Shape{1024, 2}, Shape{1024, 1}}) {
    variants.push_back(warps_variant<4>(threads, blocks));
    variants.push_back(warps_variant<8>(threads, blocks));
  }
  return variants;
}

StreamingLimit measure_streaming_limit(const StreamingBuffers& buffers, unsigned repetitions) {
  EventTimer timer;
  StreamingLimit limit;
  for (const StreamingVariant& variant : streaming_variants()) {
    limit.variants.push_back(
        {variant.name, median_seconds(timer, repetitions, [&] { variant.enqueue(buffers); })});
  }
  std::sort(limit.variants.begin(), limit.variants.end(),
            [](const StreamingTime& a, const StreamingTime& b) { return a.seconds < b.seconds; });
  // A copy between addresses that are not aligned alike runs at a part of the speed.
  const std::size_t half = buffers.written_bytes / 2 / 4096 * 4096;
  const double copy = median_seconds(timer, repetitions, [&] {
    GSST_CUDA_CHECK(cudaMemcpyAsync(buffers.output, buffers.output + half, half, cudaMemcpyDeviceToDevice));
  });
  limit.copy_bytes_per_second = 2.0 * static_cast<double>(half) / copy;
  return limit;
}

}  // namespace gsst::experiments
