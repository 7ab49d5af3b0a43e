#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>

#include "common/stage/scratch_layout.hpp"
#include "stages/tile_integer/11_gpu_encoder/description.hpp"
#include "stages/tile_integer/11_gpu_encoder/encode_frame.cuh"
#include "stages/tile_integer/11_gpu_encoder/encode_kernels.cuh"
#include "stages/tile_integer/encode/kernel_encode_plans.hpp"

// The host side of the encoder.
namespace gsst::tile_integer::encoder {
namespace {

// The CPU executor runs one thread after the other: few find the same mistakes sooner. Where nobody says how
// many it takes as few as there may be.
unsigned threads_of(const InputShape& shape) {
  if (stage::this_executor == stage::Executor::simt && !shape.parameters.contains("threads_per_block")) {
    return 64;
  }
  return static_cast<unsigned>(stage::parameter_value(description, shape.parameters, "threads_per_block"));
}

// The CPU executor runs a thread block until it waits: with a few tiles each they wait for each other. Of
// many tiles a block takes enough to use its memory anew.
std::uint32_t most_tiles_of_thread_block(std::uint32_t tiles) {
  constexpr std::uint32_t few = 2;
  if (stage::this_executor != stage::Executor::simt) return std::numeric_limits<std::uint32_t>::max();
  return tiles <= 4 * tiles_of_block ? few : tiles_of_block + few;
}

// Grids and look-back count by 31 bits.
std::uint32_t checked_tile_count(std::uint64_t tiles) {
  if (tiles > std::numeric_limits<std::int32_t>::max() - most_threads) {
    throw std::invalid_argument("stage " + description.id + ": " + std::to_string(tiles) +
                                " tiles are more than can be counted; use larger blocks");
  }
  return static_cast<std::uint32_t>(tiles);
}

// What an encoding works with, and the scratch memory for it.
struct Encoding {
  FrameParts parts;
  // What must be 0 at the start.
  std::uint8_t* cleared;
  std::uint64_t cleared_bytes;
  std::uint64_t scratch_bytes;

  EncodeJob& job() { return parts.job; }
  const EncodeJob& job() const { return parts.job; }
};

// How the input is cut. Pointers are not set. A block has one tile at least, which a block without a whole
// value needs to find its place.
EncodeJob cut_input(const InputShape& shape) {
  const format::tile_integer::TypeShape& type = format::tile_integer::shape_of(shape.type);
  EncodeJob job{};
  job.input_bytes = shape.input_bytes;
  job.block_bytes = shape.block_bytes;
  job.chains_per_warp =
      static_cast<std::uint32_t>(stage::parameter_value(description, shape.parameters, "chains_per_warp"));
  job.tile_values = threads_of(shape) / lanes_of_warp * job.chains_per_warp * chain_values;
  job.type = shape.type;
  job.value_bytes = type.value_bytes;
  job.value_shift = static_cast<std::uint32_t>(std::countr_zero(type.value_bytes));
  job.unit_shift =
      static_cast<std::uint32_t>(std::countr_zero(format::tile_integer::values_of_unit(shape.packing)));
  job.is_signed = type.is_signed;
  const std::uint64_t blocks = shape.blocks();
  if (blocks == 0) return job;
  const auto tiles_of = [&](std::uint64_t bytes) {
    return std::max<std::uint64_t>(format::part_size(bytes / type.value_bytes, job.tile_values), 1);
  };
  const std::uint64_t tiles_per_block = tiles_of(std::min(shape.block_bytes, shape.input_bytes));
  const std::uint64_t last_block = shape.input_bytes - (blocks - 1) * shape.block_bytes;
  job.tile_count = checked_tile_count((blocks - 1) * tiles_per_block + tiles_of(last_block));
  job.most_tiles_of_thread_block = most_tiles_of_thread_block(job.tile_count);
  job.tiles_per_block = static_cast<std::uint32_t>(tiles_per_block);
  job.block_count = static_cast<std::uint32_t>(blocks);
  return job;
}

Encoding lay_out(const InputShape& shape, std::uint8_t* scratch) {
  Encoding encoding{};
  stage::ScratchLayout layout(scratch);
  EncodeJob& job = encoding.job();
  job = cut_input(shape);
  encoding.cleared = scratch;
  job.ticket = layout.take<unsigned>(1);
  job.tile_states = layout.take<std::uint64_t>(job.tile_count);
  job.block_states = layout.take<std::uint64_t>(job.block_count);
  job.block_sums = layout.take<unsigned long long>(job.block_count);
  job.writings = layout.take<unsigned>(job.block_count);
  job.largest = layout.take<unsigned>(job.block_count);
  encoding.cleared_bytes = layout.bytes();
  job.places = layout.take<BlockPlace>(job.block_count);
  lay_out_frame(layout, encoding.parts);
  encoding.scratch_bytes = layout.bytes();
  return encoding;
}

Encoding encoding_of(const EncodeRequest& request) {
  Encoding encoding = lay_out(request.shape, request.scratch);
  EncodeJob& job = encoding.job();
  job.input = request.input;
  job.output = request.output;
  job.status = request.status;
  job.file_bytes = request.file_bytes;
  return encoding;
}

// Of one tile.
std::size_t bytes_of_warps(const InputShape& shape, const EncodeJob& job) {
  return std::size_t{threads_of(shape) / lanes_of_warp} *
         memory_words_of_warp(job.chains_per_warp, job.value_bytes, shape.packing) * word_bytes;
}

bool has_one_pass(const InputShape& shape) {
  return stage::parameter_value(description, shape.parameters, "passes") == 1;
}

std::size_t shared_bytes_of_block(const InputShape& shape, const EncodeJob& job) {
  if (has_one_pass(shape)) return tiles_of_block * sizeof(TileShared) + 2 * bytes_of_warps(shape, job);
  return sizeof(TileShared) + bytes_of_warps(shape, job);
}

// What a thread block has on GPUs that have most; others refuse launches that need more than they have.
constexpr std::size_t most_shared_bytes = std::size_t{227} * 1024;

std::invalid_argument too_few_shared_bytes(std::size_t needed, std::size_t most) {
  return std::invalid_argument("stage " + description.id + ": a thread block would need " +
                               std::to_string(needed) + " bytes of shared memory of " + std::to_string(most) +
                               "; take fewer threads_per_block or chains_per_warp");
}

std::uint64_t scratch_bytes(const InputShape& shape) {
  const Encoding encoding = lay_out(shape, nullptr);
  const std::size_t shared_bytes = shared_bytes_of_block(shape, encoding.job());
  if (encoding.job().tile_count != 0 && shared_bytes > most_shared_bytes) {
    throw too_few_shared_bytes(shared_bytes, most_shared_bytes);
  }
  return encoding.scratch_bytes;
}

// Those that encode tiles in one pass. On a GPU as many as it runs at the same time, which are asked for
// once. Throws std::invalid_argument where it runs none: the launch of a grid of none would not say why it is
// refused.
#if defined(__CUDACC__)
std::uint32_t thread_blocks_of(const EncodeJob& job, unsigned threads, std::size_t shared_bytes,
                               void (*kernel)(EncodeJob)) {
  thread_local std::map<std::tuple<int, void (*)(EncodeJob), unsigned, std::size_t>, std::uint32_t> known;
  const std::tuple key(stage::current_device(), kernel, threads, shared_bytes);
  auto found = known.find(key);
  if (found == known.end()) {
    const std::uint32_t resident = stage::resident_thread_blocks(threads, shared_bytes, kernel);
    if (resident == 0) throw too_few_shared_bytes(shared_bytes, stage::max_shared_bytes());
    found = known.emplace(key, resident).first;
  }
  return std::min(job.tile_count, found->second);
}
#else
std::uint32_t thread_blocks_of(const EncodeJob& job, unsigned /*threads*/, std::size_t /*shared_bytes*/,
                               void (* /*kernel*/)(EncodeJob)) {
  return static_cast<std::uint32_t>(format::part_size(job.tile_count, job.most_tiles_of_thread_block));
}
#endif

// A grid of none is an error in CUDA.
void enqueue_tiles(const EncodeRequest& request, const EncodeJob& job, void (*kernel)(EncodeJob)) {
  if (job.tile_count == 0) return;
  const unsigned threads = threads_of(request.shape);
  const std::size_t shared_bytes = shared_bytes_of_block(request.shape, job);
  stage::launch(
      {.thread_blocks = has_one_pass(request.shape) ? thread_blocks_of(job, threads, shared_bytes, kernel)
                                                    : job.tile_count,
       .threads_per_block = threads,
       .shared_bytes = shared_bytes,
       .stream = request.stream},
      kernel, job);
}

// `threads` threads at least, in whole thread blocks.
template <typename... Parameters, typename... Arguments>
void enqueue_threads(std::uint64_t threads, stage::Stream stream, void (*kernel)(Parameters...),
                     const Arguments&... arguments) {
  if (threads == 0) return;
  stage::launch({.thread_blocks = static_cast<unsigned>(format::part_size(threads, frame_threads)),
                 .threads_per_block = frame_threads,
                 .shared_bytes = 0,
                 .stream = stream},
                kernel, arguments...);
}

// The kernels for values of a type in a format.
struct Kernels {
  void (*encode)(EncodeJob);
  void (*measure)(EncodeJob);
  void (*write)(EncodeJob);
};

template <typename Number, Packing Packed>
constexpr Kernels kernels_for = {.encode = encode_tiles<Number, Packed>,
                                 .measure = measure_tiles<Number, Packed>,
                                 .write = write_tiles<Number, Packed>};

const Kernels& kernels_of(const InputShape& shape) {
  const bool is_wide = format::tile_integer::shape_of(shape.type).value_bytes == sizeof(std::uint64_t);
  if (shape.packing == Packing::runs) {
    return is_wide ? kernels_for<std::uint64_t, Packing::runs> : kernels_for<std::uint32_t, Packing::runs>;
  }
  if (shape.packing == Packing::chains) {
    return is_wide ? kernels_for<std::uint64_t, Packing::chains>
                   : kernels_for<std::uint32_t, Packing::chains>;
  }
  return is_wide ? kernels_for<std::uint64_t, Packing::values> : kernels_for<std::uint32_t, Packing::values>;
}

void enqueue_checksums(const EncodeRequest& request) {
  const FrameParts parts = encoding_of(request).parts;
  const std::uint64_t blocks = parts.job.block_count;
  enqueue_threads(blocks * parts.pieces_per_block * checksum_lanes, request.stream, checksum_pieces, parts);
  enqueue_threads(blocks * checksum_lanes, request.stream, checksum_blocks, parts);
}

void clear_states(const EncodeRequest& request, const Encoding& encoding) {
  stage::clear(encoding.cleared, encoding.cleared_bytes, request.stream);
}

void enqueue_one_pass(const EncodeRequest& request) {
  const Encoding encoding = encoding_of(request);
  clear_states(request, encoding);
  enqueue_tiles(request, encoding.job(), kernels_of(request.shape).encode);
}

void enqueue_sizes(const EncodeRequest& request) {
  const Encoding encoding = encoding_of(request);
  clear_states(request, encoding);
  enqueue_tiles(request, encoding.job(), kernels_of(request.shape).measure);
}

void enqueue_writing(const EncodeRequest& request) {
  const Encoding encoding = encoding_of(request);
  enqueue_tiles(request, encoding.job(), kernels_of(request.shape).write);
}

void enqueue_blocks(const EncodeRequest& request, const FrameParts& parts) {
  const EncodeJob& job = parts.job;
  if (job.block_count == 0) return;
  const auto pieces = static_cast<std::uint32_t>(
      format::part_size(std::min(job.block_bytes, job.input_bytes), raw_piece_bytes));
  const auto for_records = static_cast<std::uint32_t>(format::part_size(job.block_count, frame_threads));
  stage::launch({.thread_blocks = for_records + job.block_count * pieces,
                 .threads_per_block = frame_threads,
                 .shared_bytes = 0,
                 .stream = request.stream},
                write_blocks, parts, for_records, pieces);
}

void enqueue_frame(const EncodeRequest& request) {
  const FrameParts parts = encoding_of(request).parts;
  enqueue_blocks(request, parts);
  const FrameHeaderBytes header = format::build_frame_header({.format = request.shape.format,
                                                              .block_size = request.shape.block_bytes,
                                                              .split_count = 1,
                                                              .checksum_kind = written_checksum_kind});
  enqueue_threads(1, request.stream, write_frame_ends, parts, header);
}

constexpr std::array phases_of_one_pass = {EncodePhase{.name = "checksums", .enqueue = enqueue_checksums},
                                           EncodePhase{.name = "encoding", .enqueue = enqueue_one_pass},
                                           EncodePhase{.name = "frame", .enqueue = enqueue_frame}};
constexpr std::array phases_of_two_passes = {EncodePhase{.name = "checksums", .enqueue = enqueue_checksums},
                                             EncodePhase{.name = "sizes", .enqueue = enqueue_sizes},
                                             EncodePhase{.name = "writing", .enqueue = enqueue_writing},
                                             EncodePhase{.name = "frame", .enqueue = enqueue_frame}};

std::span<const EncodePhase> phases(const InputShape& shape) {
  if (has_one_pass(shape)) return phases_of_one_pass;
  return phases_of_two_passes;
}

}  // namespace
}  // namespace gsst::tile_integer::encoder
