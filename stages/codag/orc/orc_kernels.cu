#include <cstddef>
#include <cstdint>
#include <memory>
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
  const Value* data() const { return reinterpret_cast<const Value*>(bytes.data()); }

  std::size_t count;
#if defined(__CUDACC__)
  cuda::DeviceBuffer bytes;
#else
  std::vector<std::uint8_t> bytes;
#endif
};

// Memory for `count` values of 0.
template <typename Value>
BatchMemory<Value> zeros(std::uint64_t count) {
  BatchMemory<Value> memory(count);
  if (memory.count != 0) stage::clear(memory.data(), memory.count * sizeof(Value), nullptr);
  return memory;
}

// Waits for all that was enqueued.
template <typename Value>
std::vector<Value> values_of(const BatchMemory<Value>& memory) {
  std::vector<Value> values(memory.count);
  stage::copy_to_host(std::span<Value>(values), memory.data(), nullptr);
  return values;
}

// Enqueues a kernel with a warp for each of `count` things.
template <typename... Parameters, typename... Arguments>
void launch_warps(stage::Stream on, std::uint32_t count, std::uint32_t shared_bytes_of_warp,
                  void (*kernel)(Parameters...), const Arguments&... arguments) {
  if (count == 0) return;
  stage::launch({.thread_blocks = (count + warps_of_block - 1) / warps_of_block,
                 .threads_per_block = warps_of_block * lanes_of_warp,
                 .shared_bytes = std::size_t{warps_of_block} * shared_bytes_of_warp,
                 .stream = on},
                kernel, arguments...);
}

template <typename Codec>
void decode_stream(stage::Stream on, const BatchOnDevice& batch, const StreamOfStripe& stream) {
  const std::uint32_t warps = (batch.group_count + lanes_of_warp - 1) / lanes_of_warp;
  launch_warps(on, warps, 0, check_orc_parts, batch, stream);
  launch_warps(on, batch.group_count, Codec::buffer_bytes, decode_orc_parts<Codec>, batch, stream);
}

void decode_data(stage::Stream on, const OrcBatch& host, const BatchOnDevice& batch) {
  const StreamOfStripe stream = {.is_present = false,
                                 .rows_of_value = host.values == OrcValues::boolean ? 8U : 1U,
                                 .value_bytes = host.coding == OrcCoding::bytes ? 1U : 8U,
                                 .is_signed = host.values != OrcValues::indices,
                                 .output = batch.values,
                                 .is_wrong = batch.data_is_wrong,
                                 .status = batch.data_status};
  switch (host.coding) {
    case OrcCoding::bytes:
      return decode_stream<ParallelByteRuns>(on, batch, stream);
    case OrcCoding::run_lengths_v1:
      return decode_stream<ParallelRunsV1>(on, batch, stream);
    case OrcCoding::run_lengths_v2:
      return decode_stream<ParallelRunsV2>(on, batch, stream);
  }
}

// Whether values are the rows as they are decoded.
bool values_are_rows(const OrcBatch& host) {
  return host.values == OrcValues::int64 && host.present_bytes == 0;
}

// All kernels, one after the other.
void enqueue_kernels(stage::Stream on, const OrcBatch& host, const BatchOnDevice& batch) {
  if (host.compression == OrcCompression::zlib) {
    launch_warps(on, batch.chunk_count, sizeof(InflateMemory), inflate_orc_chunks, batch);
    launch_warps(on, batch.stream_count, 0, find_orc_chunks, batch);
    launch_warps(on, batch.chunk_count, 0, join_orc_chunks, batch);
  }
  decode_stream<ParallelByteRuns>(on, batch,
                                  {.is_present = true,
                                   .rows_of_value = 8,
                                   .value_bytes = 1,
                                   .is_signed = false,
                                   .output = batch.present,
                                   .is_wrong = batch.present_is_wrong,
                                   .status = batch.present_status});
  launch_warps(on, batch.group_count, 0, count_orc_values, batch);
  launch_warps(on, batch.stripe_count, 0, find_orc_values, batch);
  decode_data(on, host, batch);
  if (values_are_rows(host)) return;
  launch_warps(on, batch.group_count, 0, write_orc_rows, batch,
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

// Bytes of each stream without compression, where that is known: streams that are not compressed are a chunk
// each.
std::vector<std::uint32_t> known_stream_bytes(const OrcBatch& host) {
  std::vector<std::uint32_t> sizes(host.streams.size());
  if (host.compression == OrcCompression::zlib) return sizes;
  for (const BatchChunk& chunk : host.chunks) sizes[chunk.stream] = chunk.input_bytes;
  return sizes;
}

std::uint64_t room_bytes_in_memory(const OrcBatch& host) {
  return host.compression == OrcCompression::zlib ? host.room_bytes : 0;
}

// Streams of the caller need not wait for the default stream, which fills the memory.
void wait_for_copies() {
#if defined(__CUDACC__)
  GSST_CUDA_CHECK(cudaStreamSynchronize(nullptr));
#endif
}

// The batch without what is in the executor's memory afterwards.
OrcBatch shape_of(const OrcBatch& host) {
  OrcBatch shape = host;
  shape.stored.clear();
  shape.chunks.clear();
  shape.streams.clear();
  shape.stripes.clear();
  shape.groups.clear();
  return shape;
}

class BatchInMemory final : public LoadedOrcBatch {
public:
  explicit BatchInMemory(const OrcBatch& host)
      : shape_(shape_of(host)),
        stored_(stored_in_memory(host)),
        chunks_(host.chunks),
        streams_(host.streams),
        stripes_(host.stripes),
        groups_(host.groups),
        rooms_(room_bytes_in_memory(host)),
        bytes_(room_bytes_in_memory(host)),
        chunk_bytes_(zeros<std::uint32_t>(host.chunks.size())),
        chunk_begins_(zeros<std::uint32_t>(host.chunks.size())),
        chunk_status_(zeros<std::uint32_t>(host.chunks.size())),
        stream_bytes_(known_stream_bytes(host)),
        stripe_values_(host.stripes.size()),
        group_values_(host.groups.size()),
        value_begins_(host.groups.size()),
        present_(host.present_bytes),
        present_is_wrong_(zeros<std::uint32_t>(host.stripes.size())),
        present_status_(zeros<std::uint32_t>(host.groups.size())),
        values_(values_are_rows(host) ? 0 : host.value_bytes),
        data_is_wrong_(zeros<std::uint32_t>(host.stripes.size())),
        data_status_(zeros<std::uint32_t>(host.groups.size())),
        value_status_(zeros<std::uint32_t>(host.groups.size())),
        wrong_values_(zeros<std::int64_t>(host.groups.size())),
        output_(host.rows * value_bytes_of(host.values)) {
    wait_for_copies();
  }

  void enqueue(stage::Stream stream) override { enqueue_kernels(stream, shape_, on_device()); }

  OrcBatchResult result() const override {
    OrcBatchResult result = statuses();
    result.output = values_of(output_);
    return result;
  }

  OrcBatchResult statuses() const override {
    return {.output = {},
            .chunk_status = values_of(chunk_status_),
            .present_status = values_of(present_status_),
            .data_status = values_of(data_status_),
            .value_status = values_of(value_status_),
            .wrong_values = values_of(wrong_values_),
            .value_counts = values_of(stripe_values_)};
  }

  std::span<std::uint8_t> output() override { return {output_.data(), output_.count}; }
  std::span<const std::uint8_t> stored() const override { return {stored_.data(), stored_.count}; }

private:
  BatchOnDevice on_device() {
    const bool is_compressed = shape_.compression == OrcCompression::zlib;
    return {.stored = stored_.data(),
            .chunks = chunks_.data(),
            .chunk_count = static_cast<std::uint32_t>(chunks_.count),
            .rooms = rooms_.data(),
            .chunk_bytes = chunk_bytes_.data(),
            .chunk_begins = chunk_begins_.data(),
            .chunk_status = chunk_status_.data(),
            .streams = streams_.data(),
            .stream_count = static_cast<std::uint32_t>(streams_.count),
            .stream_bytes = stream_bytes_.data(),
            .bytes = is_compressed ? bytes_.data() : stored_.data(),
            .stripes = stripes_.data(),
            .stripe_count = static_cast<std::uint32_t>(stripes_.count),
            .stripe_values = stripe_values_.data(),
            .groups = groups_.data(),
            .group_count = static_cast<std::uint32_t>(groups_.count),
            .group_values = group_values_.data(),
            .value_begins = value_begins_.data(),
            .present = present_.data(),
            .present_is_wrong = present_is_wrong_.data(),
            .present_status = present_status_.data(),
            .values = values_are_rows(shape_) ? output_.data() : values_.data(),
            .data_is_wrong = data_is_wrong_.data(),
            .data_status = data_status_.data(),
            .value_status = value_status_.data(),
            .wrong_values = wrong_values_.data(),
            .output = output_.data()};
  }

  OrcBatch shape_;
  BatchMemory<std::uint8_t> stored_;
  BatchMemory<BatchChunk> chunks_;
  BatchMemory<BatchStream> streams_;
  BatchMemory<BatchStripe> stripes_;
  BatchMemory<BatchGroup> groups_;
  // Of chunks and of whole streams, without compression.
  BatchMemory<std::uint8_t> rooms_;
  BatchMemory<std::uint8_t> bytes_;
  BatchMemory<std::uint32_t> chunk_bytes_;
  BatchMemory<std::uint32_t> chunk_begins_;
  BatchMemory<std::uint32_t> chunk_status_;
  BatchMemory<std::uint32_t> stream_bytes_;
  BatchMemory<std::uint32_t> stripe_values_;
  BatchMemory<std::uint32_t> group_values_;
  BatchMemory<std::uint32_t> value_begins_;
  BatchMemory<std::uint8_t> present_;
  BatchMemory<std::uint32_t> present_is_wrong_;
  BatchMemory<std::uint32_t> present_status_;
  BatchMemory<std::uint8_t> values_;
  BatchMemory<std::uint32_t> data_is_wrong_;
  BatchMemory<std::uint32_t> data_status_;
  BatchMemory<std::uint32_t> value_status_;
  BatchMemory<std::int64_t> wrong_values_;
  BatchMemory<std::uint8_t> output_;
};

std::unique_ptr<LoadedOrcBatch> load_batch(const OrcBatch& batch) {
  return std::make_unique<BatchInMemory>(batch);
}

const OrcKernelsOn orc_kernels(stage::this_executor, {.load = load_batch});

}  // namespace
}  // namespace gsst::codag::orc
