#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>

#include "common/stage/scratch_layout.hpp"
#include "stages/zero_length/05_cuda_scan/description.hpp"
#include "stages/zero_length/05_cuda_scan/encode_blocks.cuh"
#include "stages/zero_length/05_cuda_scan/encode_kernels.cuh"
#include "stages/zero_length/encode/kernel_encode_plans.hpp"

// The host side of the encoder.
namespace gsst::zero_length::encoder {
namespace {

using stage::InputToEncode;

const stage::Description description = describe(stage::Operation::encode);

bool is_frame(const InputToEncode& shape) {
  return shape.format == format::zero_length::frame_format;
}

bool has_two_passes(const InputToEncode& shape) {
  return is_frame(shape) || stage::parameter_value(description, shape.parameters, "passes") == 2;
}

// The CPU executor runs one thread after the other: few find the same mistakes sooner. Where nobody says how
// many it takes as few as there may be.
unsigned threads_of(const InputToEncode& shape) {
  if (stage::this_executor == stage::Executor::simt && !shape.parameters.contains("threads_per_block")) {
    return 64;
  }
  return static_cast<unsigned>(stage::parameter_value(description, shape.parameters, "threads_per_block"));
}

// Grids count their thread blocks by 31 bits.
std::uint32_t checked_tile_count(std::uint64_t tiles) {
  if (tiles > std::numeric_limits<std::int32_t>::max() - threads_for_blocks) {
    throw std::invalid_argument("stage " + description.id + ": " + std::to_string(tiles) +
                                " tiles are more than can be counted; use larger blocks");
  }
  return static_cast<std::uint32_t>(tiles);
}

// What an encoding works with, and the scratch memory for it.
struct Encoding {
  EncodeJob job;
  // Of a frame.
  FrameParts frame;
  // What must be 0 at the start.
  std::uint8_t* cleared;
  std::uint64_t cleared_bytes;
  std::uint64_t scratch_bytes;
};

// How the input is cut. Pointers are not set.
EncodeJob cut_input(const InputToEncode& shape) {
  EncodeJob job{};
  job.input_bytes = shape.input_bytes;
  job.block_bytes = shape.block_bytes;
  job.tile_bytes = threads_of(shape) * thread_bytes;
  const std::uint64_t blocks = blocks_of(shape);
  if (blocks == 0) return job;
  const std::uint64_t tiles_per_block =
      format::part_size(std::min(shape.block_bytes, shape.input_bytes), job.tile_bytes);
  const std::uint64_t last_block = shape.input_bytes - (blocks - 1) * shape.block_bytes;
  const std::uint64_t tiles_of_last = format::part_size(last_block, job.tile_bytes);
  job.tile_count = checked_tile_count((blocks - 1) * tiles_per_block + tiles_of_last);
  job.tiles_per_block = static_cast<std::uint32_t>(tiles_per_block);
  job.block_count = static_cast<std::uint32_t>(blocks);
  return job;
}

Encoding lay_out(const InputToEncode& shape, std::uint8_t* scratch) {
  Encoding encoding{};
  stage::ScratchLayout layout(scratch);
  EncodeJob& job = encoding.job;
  job = cut_input(shape);
  encoding.cleared = scratch;
  job.tickets = layout.take<unsigned>(2);
  job.tile_bytes_states = layout.take<std::uint64_t>(job.tile_count);
  job.tile_zeros_states = layout.take<std::uint64_t>(job.tile_count);
  if (has_two_passes(shape)) {
    job.places_states = layout.take<std::uint64_t>(format::part_size(job.block_count, threads_for_blocks));
  }
  encoding.cleared_bytes = layout.bytes();
  if (has_two_passes(shape)) {
    job.tiles = layout.take<TilePlace>(job.tile_count);
    job.block_elements = layout.take<std::uint32_t>(job.block_count);
    job.blocks = layout.take<BlockPlace>(job.block_count);
  }
  if (is_frame(shape)) {
    encoding.frame.job = job;
    lay_out_frame(layout, encoding.frame);
  }
  encoding.scratch_bytes = layout.bytes();
  return encoding;
}

Encoding encoding_of(const EncodeRequest& request) {
  Encoding encoding = lay_out(request.shape, request.scratch);
  EncodeJob& job = encoding.job;
  job.input = request.input;
  job.output = request.output;
  job.status = request.status;
  job.file_bytes = request.file_bytes;
  encoding.frame.job = job;
  return encoding;
}

std::uint64_t scratch_bytes(const InputToEncode& shape) {
  return lay_out(shape, nullptr).scratch_bytes;
}

// A thread block for each tile; a grid of none is an error in CUDA.
void enqueue_tiles(const EncodeRequest& request, const EncodeJob& job, void (*kernel)(EncodeJob)) {
  if (job.tile_count == 0) return;
  stage::launch({.thread_blocks = job.tile_count,
                 .threads_per_block = threads_of(request.shape),
                 .shared_bytes = shared_bytes(job.tile_bytes),
                 .stream = request.stream},
                kernel, job);
}

// `threads` threads at least, in thread blocks of threads_for_blocks; whole ones.
template <typename... Parameters, typename... Arguments>
void enqueue_threads(std::uint64_t threads, std::size_t shared_memory, stage::Stream stream,
                     void (*kernel)(Parameters...), const Arguments&... arguments) {
  if (threads == 0) return;
  stage::launch({.thread_blocks = static_cast<unsigned>(format::part_size(threads, threads_for_blocks)),
                 .threads_per_block = threads_for_blocks,
                 .shared_bytes = shared_memory,
                 .stream = stream},
                kernel, arguments...);
}

void clear_states(const EncodeRequest& request, const Encoding& encoding) {
  stage::clear(encoding.cleared, encoding.cleared_bytes, request.stream);
}

void enqueue_one_pass(const EncodeRequest& request) {
  const Encoding encoding = encoding_of(request);
  clear_states(request, encoding);
  enqueue_tiles(request, encoding.job, encode_in_one_pass);
}

void enqueue_headers_of_one_pass(const EncodeRequest& request) {
  const EncodeJob job = encoding_of(request).job;
  enqueue_threads(std::uint64_t{job.block_count} + 1, 0, request.stream, write_bare_headers<true>, job);
}

void enqueue_sizes(const EncodeRequest& request) {
  const Encoding encoding = encoding_of(request);
  clear_states(request, encoding);
  enqueue_tiles(request, encoding.job, measure_tiles);
}

void enqueue_places(const EncodeRequest& request) {
  const EncodeJob job = encoding_of(request).job;
  enqueue_threads(job.block_count, sizeof(PlacesShared), request.stream, place_blocks, job,
                  is_frame(request.shape) ? around_frame : around_bare);
}

void enqueue_writing(const EncodeRequest& request) {
  enqueue_tiles(request, encoding_of(request).job, write_tiles);
}

void enqueue_headers(const EncodeRequest& request) {
  const EncodeJob job = encoding_of(request).job;
  enqueue_threads(std::uint64_t{job.block_count} + 1, 0, request.stream, write_bare_headers<false>, job);
}

void enqueue_checksums(const EncodeRequest& request) {
  enqueue_checksums_of_blocks(encoding_of(request).frame, request.stream);
}

void enqueue_frame(const EncodeRequest& request) {
  enqueue_rest_of_frame(encoding_of(request).frame, request.stream);
}

constexpr std::array phases_of_one_pass = {
    EncodePhase{.name = "encoding", .enqueue = enqueue_one_pass},
    EncodePhase{.name = "headers", .enqueue = enqueue_headers_of_one_pass}};
constexpr std::array phases_of_two_passes = {EncodePhase{.name = "sizes", .enqueue = enqueue_sizes},
                                             EncodePhase{.name = "places", .enqueue = enqueue_places},
                                             EncodePhase{.name = "writing", .enqueue = enqueue_writing},
                                             EncodePhase{.name = "headers", .enqueue = enqueue_headers}};
constexpr std::array phases_of_frame = {EncodePhase{.name = "checksums", .enqueue = enqueue_checksums},
                                        EncodePhase{.name = "sizes", .enqueue = enqueue_sizes},
                                        EncodePhase{.name = "places", .enqueue = enqueue_places},
                                        EncodePhase{.name = "writing", .enqueue = enqueue_writing},
                                        EncodePhase{.name = "frame", .enqueue = enqueue_frame}};

std::span<const EncodePhase> phases(const InputToEncode& shape) {
  if (is_frame(shape)) return phases_of_frame;
  if (has_two_passes(shape)) return phases_of_two_passes;
  return phases_of_one_pass;
}

}  // namespace
}  // namespace gsst::zero_length::encoder
