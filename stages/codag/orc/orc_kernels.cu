#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/stage/copies.hpp"
#include "common/stage/launch.hpp"
#include "stages/codag/orc/orc_batch.hpp"
// After launch.hpp, which gives the kernels CUDA's words where the compiler has none.
#include "stages/codag/07_parallel_runs/kernel_v1.cuh"
#include "stages/codag/07_parallel_runs_byte_rle/kernel_bytes.cuh"
#include "stages/codag/07_parallel_runs_rle_v2/kernel_v2.cuh"
#include "stages/codag/orc/batch_on_device.cuh"
#include "stages/codag/orc/kernel_chunks.cuh"
#include "stages/codag/orc/kernel_parts.cuh"
#include "stages/codag/orc/kernel_rows.cuh"
#if defined(__CUDACC__)
#include "common/cuda/device_buffer.hpp"
#endif

namespace gsst::codag::orc {
namespace {

constexpr std::uint32_t warps_of_block = 4;

// The executor's memory for `count` values.
template <typename Value>
struct BatchMemory {
  explicit BatchMemory(std::uint64_t values)
      : count(static_cast<std::size_t>(values)), bytes(count * sizeof(Value)) {}
  explicit BatchMemory(const std::vector<Value>& values) : BatchMemory(values.size()) {
    stage::copy_to_executor(data(), std::span<const Value>(values), nullptr);
  }

  Value* data() { return reinterpret_cast<Value*>(bytes.data()); }

  std::size_t count;
#if defined(__CUDACC__)
  cuda::DeviceBuffer bytes;
#else
  std::vector<std::uint8_t> bytes;
#endif
};

template <typename Value>
void set_to_zero(BatchMemory<Value>& memory) {
  if (memory.count != 0) stage::clear(memory.data(), memory.count * sizeof(Value), nullptr);
}

// Waits for all that was enqueued.
template <typename Value>
std::vector<Value> values_of(BatchMemory<Value>& memory) {
  std::vector<Value> values(memory.count);
  stage::copy_to_host(std::span<Value>(values), memory.data(), nullptr);
  return values;
}

// Enqueues a kernel with a warp for each of `count` things.
template <typename... Parameters, typename... Arguments>
void launch_warps(std::uint32_t count, std::uint32_t shared_bytes_of_warp, void (*kernel)(Parameters...),
                  const Arguments&... arguments) {
  if (count == 0) return;
  stage::launch({.thread_blocks = (count + warps_of_block - 1) / warps_of_block,
                 .threads_per_block = warps_of_block * lanes_of_warp,
                 .shared_bytes = std::size_t{warps_of_block} * shared_bytes_of_warp,
                 .stream = nullptr},
                kernel, arguments...);
}

template <typename Codec>
void decode_stream(const BatchOnDevice& batch, const StreamOfStripe& stream) {
  const std::uint32_t warps = (batch.group_count + lanes_of_warp - 1) / lanes_of_warp;
  launch_warps(warps, 0, check_orc_parts, batch, stream);
  launch_warps(batch.group_count, Codec::buffer_bytes, decode_orc_parts<Codec>, batch, stream);
}

void decode_data(const OrcBatch& host, const BatchOnDevice& batch) {
  const StreamOfStripe stream = {.is_present = false,
                                 .rows_of_value = host.values == OrcValues::boolean ? 8U : 1U,
                                 .value_bytes = host.coding == OrcCoding::bytes ? 1U : 8U,
                                 .is_signed = host.values != OrcValues::indices,
                                 .output = batch.values,
                                 .is_wrong = batch.data_is_wrong,
                                 .status = batch.data_status};
  switch (host.coding) {
    case OrcCoding::bytes:
      return decode_stream<ParallelByteRuns>(batch, stream);
    case OrcCoding::run_lengths_v1:
      return decode_stream<ParallelRunsV1>(batch, stream);
    case OrcCoding::run_lengths_v2:
      return decode_stream<ParallelRunsV2>(batch, stream);
  }
}

// Whether values are the rows as they are decoded.
bool values_are_rows(const OrcBatch& host) {
  return host.values == OrcValues::int64 && host.present_bytes == 0;
}

// All kernels, one after the other. The host waits for none.
void enqueue(const OrcBatch& host, const BatchOnDevice& batch) {
  if (host.compression == OrcCompression::zlib) {
    launch_warps(batch.chunk_count, sizeof(InflateMemory), inflate_orc_chunks, batch);
    launch_warps(batch.stream_count, 0, find_orc_chunks, batch);
    launch_warps(batch.chunk_count, 0, join_orc_chunks, batch);
  }
  decode_stream<ParallelByteRuns>(batch, {.is_present = true,
                                          .rows_of_value = 8,
                                          .value_bytes = 1,
                                          .is_signed = false,
                                          .output = batch.present,
                                          .is_wrong = batch.present_is_wrong,
                                          .status = batch.present_status});
  launch_warps(batch.group_count, 0, count_orc_values, batch);
  launch_warps(batch.stripe_count, 0, find_orc_values, batch);
  decode_data(host, batch);
  if (values_are_rows(host)) return;
  launch_warps(batch.group_count, 0, write_orc_rows, batch,
               ValuesOfColumn{.stored_bytes = host.values == OrcValues::boolean ? 0U
                                              : host.coding == OrcCoding::bytes ? 1U
                                                                                : 8U,
                              .output_bytes = value_bytes_of(host.values),
                              .null_value = host.null_value});
}

// The stored bytes in the executor's memory.
BatchMemory<std::uint8_t> stored_in_memory(const OrcBatch& host) {
  BatchMemory<std::uint8_t> memory(host.stored_bytes);
  std::uint8_t* next = memory.data();
  for (const std::span<const std::uint8_t> piece : host.stored) {
    stage::copy_to_executor(next, piece, nullptr);
    next += piece.size();
  }
  return memory;
}

OrcBatchResult decode_batch(const OrcBatch& host) {
  const bool is_compressed = host.compression == OrcCompression::zlib;
  BatchMemory<std::uint8_t> stored = stored_in_memory(host);
  BatchMemory chunks(host.chunks);
  BatchMemory streams(host.streams);
  BatchMemory stripes(host.stripes);
  BatchMemory groups(host.groups);
  BatchMemory<std::uint8_t> rooms(is_compressed ? host.room_bytes : 0);
  BatchMemory<std::uint8_t> bytes(is_compressed ? host.room_bytes : 0);
  BatchMemory<std::uint32_t> chunk_bytes(host.chunks.size());
  BatchMemory<std::uint32_t> chunk_begins(host.chunks.size());
  BatchMemory<std::uint32_t> chunk_status(host.chunks.size());
  // Streams that are not compressed are a chunk each.
  std::vector<std::uint32_t> stream_sizes(host.streams.size());
  if (!is_compressed) {
    for (const BatchChunk& chunk : host.chunks) stream_sizes[chunk.stream] = chunk.input_bytes;
  }
  BatchMemory stream_bytes(stream_sizes);
  BatchMemory<std::uint32_t> stripe_values(host.stripes.size());
  BatchMemory<std::uint32_t> group_values(host.groups.size());
  BatchMemory<std::uint32_t> value_begins(host.groups.size());
  BatchMemory<std::uint8_t> present(host.present_bytes);
  BatchMemory<std::uint32_t> present_is_wrong(host.stripes.size());
  BatchMemory<std::uint32_t> present_status(host.groups.size());
  BatchMemory<std::uint8_t> values(values_are_rows(host) ? 0 : host.value_bytes);
  BatchMemory<std::uint32_t> data_is_wrong(host.stripes.size());
  BatchMemory<std::uint32_t> data_status(host.groups.size());
  BatchMemory<std::uint32_t> value_status(host.groups.size());
  BatchMemory<std::int64_t> wrong_values(host.groups.size());
  BatchMemory<std::uint8_t> output(host.rows * value_bytes_of(host.values));
  set_to_zero(chunk_bytes);
  set_to_zero(chunk_begins);
  set_to_zero(chunk_status);
  set_to_zero(present_is_wrong);
  set_to_zero(present_status);
  set_to_zero(data_is_wrong);
  set_to_zero(data_status);
  set_to_zero(value_status);
  set_to_zero(wrong_values);
  enqueue(host, {.stored = stored.data(),
                 .chunks = chunks.data(),
                 .chunk_count = static_cast<std::uint32_t>(host.chunks.size()),
                 .rooms = rooms.data(),
                 .chunk_bytes = chunk_bytes.data(),
                 .chunk_begins = chunk_begins.data(),
                 .chunk_status = chunk_status.data(),
                 .streams = streams.data(),
                 .stream_count = static_cast<std::uint32_t>(host.streams.size()),
                 .stream_bytes = stream_bytes.data(),
                 .bytes = is_compressed ? bytes.data() : stored.data(),
                 .stripes = stripes.data(),
                 .stripe_count = static_cast<std::uint32_t>(host.stripes.size()),
                 .stripe_values = stripe_values.data(),
                 .groups = groups.data(),
                 .group_count = static_cast<std::uint32_t>(host.groups.size()),
                 .group_values = group_values.data(),
                 .value_begins = value_begins.data(),
                 .present = present.data(),
                 .present_is_wrong = present_is_wrong.data(),
                 .present_status = present_status.data(),
                 .values = values_are_rows(host) ? output.data() : values.data(),
                 .data_is_wrong = data_is_wrong.data(),
                 .data_status = data_status.data(),
                 .value_status = value_status.data(),
                 .wrong_values = wrong_values.data(),
                 .output = output.data()});
  return {.output = values_of(output),
          .chunk_status = values_of(chunk_status),
          .present_status = values_of(present_status),
          .data_status = values_of(data_status),
          .value_status = values_of(value_status),
          .wrong_values = values_of(wrong_values),
          .value_counts = values_of(stripe_values)};
}

const OrcKernelsOn orc_kernels(stage::this_executor, {.decode = decode_batch});

}  // namespace
}  // namespace gsst::codag::orc
