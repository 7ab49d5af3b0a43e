#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>

#include "common/stage/scratch_layout.hpp"
#include "stages/zero_length/04_cuda_runs/description.hpp"
#include "stages/zero_length/04_cuda_runs/encode_blocks.cuh"
#include "stages/zero_length/04_cuda_runs/encode_kernels_2_assemble.cuh"
#include "stages/zero_length/encode/kernel_encode_plans.hpp"

// The host side of the encoder.
namespace gsst::zero_length::encoder {
namespace {

using stage::InputToEncode;

const stage::Description description = describe(stage::Operation::encode);

// Bytes of a block for each thread block that copies.
constexpr std::uint64_t copied_bytes = 8192;

bool is_frame(const InputToEncode& shape) {
  return shape.format == format::zero_length::frame_format;
}

// Bytes of all blocks but, maybe, the last one.
std::uint64_t bytes_of_most_blocks(const InputToEncode& shape) {
  return std::min(shape.block_bytes, shape.input_bytes);
}

std::uint64_t copying_parts(const InputToEncode& shape) {
  return format::part_size(bytes_of_most_blocks(shape), copied_bytes);
}

// Grids count their thread blocks by 31 bits.
void check_grids(const InputToEncode& shape) {
  const std::uint64_t most = std::numeric_limits<std::int32_t>::max() - 1;
  if (blocks_of(shape) == 0) return;
  if (format::part_size(shape.input_bytes, threads_per_block) > most ||
      blocks_of(shape) > most / copying_parts(shape)) {
    throw std::invalid_argument("stage " + description.id + ": " + std::to_string(shape.input_bytes) +
                                " bytes in blocks of " + std::to_string(shape.block_bytes) +
                                " are more than can be counted; use larger blocks, or fewer bytes");
  }
}

struct Encoding {
  EncodeJob job;
  // Of a frame.
  FrameParts frame;
  std::uint64_t scratch_bytes;
};

// Pointers into what is not scratch memory are not set.
Encoding lay_out(const InputToEncode& shape, std::uint8_t* scratch) {
  Encoding encoding{};
  stage::ScratchLayout layout(scratch);
  EncodeJob& job = encoding.job;
  job.input_bytes = shape.input_bytes;
  job.block_bytes = shape.block_bytes;
  job.block_count = static_cast<std::uint32_t>(blocks_of(shape));
  job.marks = layout.take<std::uint8_t>(shape.input_bytes);
  job.entries = layout.take<std::uint32_t>(shape.input_bytes);
  job.second = layout.take<std::uint32_t>(shape.input_bytes);
  job.counts = layout.take<unsigned>(job.block_count);
  job.block_elements = layout.take<std::uint32_t>(job.block_count);
  job.blocks = layout.take<BlockPlace>(job.block_count);
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
  check_grids(shape);
  return lay_out(shape, nullptr).scratch_bytes;
}

// A grid of none is an error in CUDA.
template <typename... Parameters, typename... Arguments>
void enqueue_blocks(std::uint64_t thread_blocks, stage::Stream stream, void (*kernel)(Parameters...),
                    const Arguments&... arguments) {
  if (thread_blocks == 0) return;
  stage::launch({.thread_blocks = static_cast<unsigned>(thread_blocks),
                 .threads_per_block = threads_per_block,
                 .shared_bytes = 0,
                 .stream = stream},
                kernel, arguments...);
}

// `threads` threads at least; whole thread blocks.
template <typename... Parameters, typename... Arguments>
void enqueue_threads(std::uint64_t threads, stage::Stream stream, void (*kernel)(Parameters...),
                     const Arguments&... arguments) {
  enqueue_blocks(format::part_size(threads, threads_per_block), stream, kernel, arguments...);
}

void enqueue_finding(const EncodeRequest& request) {
  enqueue_threads(request.shape.input_bytes, request.stream, find_runs, encoding_of(request).job);
}

void enqueue_listing(const EncodeRequest& request) {
  const EncodeJob job = encoding_of(request).job;
  stage::clear(job.counts, job.block_count * sizeof(unsigned), request.stream);
  enqueue_threads(job.input_bytes, request.stream, list_runs, job);
}

void enqueue_order(const EncodeRequest& request) {
  const EncodeJob job = encoding_of(request).job;
  enqueue_blocks(job.block_count, request.stream, order_lists, job);
}

void enqueue_places(const EncodeRequest& request) {
  const EncodeJob job = encoding_of(request).job;
  enqueue_blocks(job.block_count, request.stream, place_pieces, job);
  stage::launch(
      {.thread_blocks = 1, .threads_per_block = lanes_of_warp, .shared_bytes = 0, .stream = request.stream},
      place_blocks, job, is_frame(request.shape) ? around_frame : around_bare);
}

void enqueue_copies(const EncodeRequest& request) {
  const EncodeJob job = encoding_of(request).job;
  const std::uint64_t parts = copying_parts(request.shape);
  enqueue_blocks(job.block_count * parts, request.stream, copy_pieces, job,
                 static_cast<std::uint32_t>(parts));
}

void enqueue_headers(const EncodeRequest& request) {
  const EncodeJob job = encoding_of(request).job;
  enqueue_threads(std::uint64_t{job.block_count} + 1, request.stream, write_bare_headers, job);
}

void enqueue_checksums(const EncodeRequest& request) {
  enqueue_checksums_of_blocks(encoding_of(request).frame, request.stream);
}

void enqueue_frame(const EncodeRequest& request) {
  enqueue_rest_of_frame(encoding_of(request).frame, request.stream);
}

constexpr EncodePhase finding = {.name = "finding", .enqueue = enqueue_finding};
constexpr EncodePhase listing = {.name = "listing", .enqueue = enqueue_listing};
constexpr EncodePhase order = {.name = "order", .enqueue = enqueue_order};
constexpr EncodePhase places = {.name = "places", .enqueue = enqueue_places};
constexpr EncodePhase copies = {.name = "copies", .enqueue = enqueue_copies};

constexpr std::array phases_of_bare = {
    finding, listing, order, places, copies, EncodePhase{.name = "headers", .enqueue = enqueue_headers}};
constexpr std::array phases_of_frame = {
    EncodePhase{.name = "checksums", .enqueue = enqueue_checksums}, finding, listing, order, places, copies,
    EncodePhase{.name = "frame", .enqueue = enqueue_frame}};

std::span<const EncodePhase> phases(const InputToEncode& shape) {
  if (is_frame(shape)) return phases_of_frame;
  return phases_of_bare;
}

}  // namespace
}  // namespace gsst::zero_length::encoder
