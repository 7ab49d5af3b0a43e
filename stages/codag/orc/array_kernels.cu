#include <cstddef>
#include <cstdint>
#include <span>

#include "common/stage/copies.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/scratch_layout.hpp"
#include "stages/codag/orc/orc_arrays.hpp"
// After launch.hpp, which gives the kernels CUDA's words where the compiler has none.
#include "stages/codag/07_parallel_runs/kernel_v1.cuh"
#include "stages/codag/07_parallel_runs_byte_rle/kernel_bytes.cuh"
#include "stages/codag/07_parallel_runs_rle_v2/kernel_v2.cuh"
#include "stages/codag/orc/batch_on_device.cuh"
#include "stages/codag/orc/kernel_bitmaps.cuh"
#include "stages/codag/orc/kernel_parts.cuh"
#include "stages/codag/orc/kernel_rows.cuh"

namespace gsst::codag::orc {
namespace {

constexpr std::uint32_t threads_of_array_block = 128;

// A launch on a stream, with `threads` threads in all.
class ArrayLaunch {
public:
  explicit ArrayLaunch(stage::Stream stream) : stream_(stream) {}

  template <typename... Parameters, typename... Arguments>
  void threads(std::uint64_t count, std::uint32_t shared_bytes_of_warp, void (*kernel)(Parameters...),
               const Arguments&... arguments) const {
    constexpr std::uint32_t warps = threads_of_array_block / lanes_of_warp;
    stage::launch({.thread_blocks =
                       static_cast<unsigned>((count + threads_of_array_block - 1) / threads_of_array_block),
                   .threads_per_block = threads_of_array_block,
                   .shared_bytes = std::size_t{warps} * shared_bytes_of_warp,
                   .stream = stream_},
                  kernel, arguments...);
  }
  template <typename... Parameters, typename... Arguments>
  void warps(std::uint32_t count, std::uint32_t shared_bytes_of_warp, void (*kernel)(Parameters...),
             const Arguments&... arguments) const {
    threads(std::uint64_t{count} * lanes_of_warp, shared_bytes_of_warp, kernel, arguments...);
  }

  template <typename Codec>
  void stream_of_stripes(const BatchOnDevice& batch, const StreamOfStripe& of) const {
    threads(batch.group_count, 0, check_orc_parts, batch, of);
    warps(batch.group_count, Codec::buffer_bytes, decode_orc_parts<Codec>, batch, of);
  }

private:
  stage::Stream stream_;
};

// Kernels of a batch only read what has been made for it.
template <typename Value>
Value* only_read(const Value* values) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): where streams are compressed, kernels write them.
  return const_cast<Value*>(values);
}

// What stays between the kernels of a job, and bytes of it that are 0 at first: the first ones.
struct ArrayScratch {
  std::uint64_t cleared_bytes;
  std::uint64_t bytes;
  BatchOnDevice batch;
};

ArrayScratch scratch_of(const OrcArrayJob& job) {
  stage::ScratchLayout layout(job.scratch);
  const std::uint64_t groups = job.group_count;
  const std::uint64_t stripes = job.stripe_count;
  BatchOnDevice batch = {};
  batch.present = layout.take<std::uint8_t>(job.present_bytes);
  batch.present_is_wrong = layout.take<std::uint32_t>(stripes);
  batch.data_is_wrong = layout.take<std::uint32_t>(stripes);
  batch.present_status = layout.take<std::uint32_t>(groups);
  batch.data_status = layout.take<std::uint32_t>(groups);
  batch.value_status = layout.take<std::uint32_t>(groups);
  const std::uint64_t cleared_bytes = layout.bytes();
  batch.stripe_values = layout.take<std::uint32_t>(stripes);
  batch.group_values = layout.take<std::uint32_t>(groups);
  batch.value_begins = layout.take<std::uint32_t>(groups);
  batch.wrong_values = layout.take<std::int64_t>(groups);
  batch.values = layout.take<std::uint8_t>(job.value_bytes);
  // Booleans are bytes at first.
  batch.output = job.values == OrcValues::boolean ? layout.take<std::uint8_t>(job.rows) : job.output;
  return {.cleared_bytes = cleared_bytes, .bytes = layout.bytes(), .batch = batch};
}

std::uint64_t scratch_bytes_of(const OrcArrayJob& job) {
  OrcArrayJob sizes = job;
  sizes.scratch = nullptr;
  return scratch_of(sizes).bytes;
}

void decode_values(const ArrayLaunch& launch, const OrcArrayJob& job, const BatchOnDevice& batch) {
  const StreamOfStripe data = {.is_present = false,
                               .rows_of_value = job.values == OrcValues::boolean ? 8U : 1U,
                               .value_bytes = job.coding == OrcCoding::bytes ? 1U : 8U,
                               .is_signed = job.values != OrcValues::indices,
                               .output = batch.values,
                               .is_wrong = batch.data_is_wrong,
                               .status = batch.data_status};
  switch (job.coding) {
    case OrcCoding::bytes:
      return launch.stream_of_stripes<ParallelByteRuns>(batch, data);
    case OrcCoding::run_lengths_v1:
      return launch.stream_of_stripes<ParallelRunsV1>(batch, data);
    case OrcCoding::run_lengths_v2:
      return launch.stream_of_stripes<ParallelRunsV2>(batch, data);
  }
}

void enqueue_array(const OrcArrayJob& job, stage::Stream stream) {
  const ArrayScratch scratch = scratch_of(job);
  BatchOnDevice batch = scratch.batch;
  batch.streams = job.streams;
  batch.stream_count = job.stream_count;
  batch.chunk_begins = only_read(job.chunk_begins);
  batch.stream_bytes = only_read(job.stream_bytes);
  batch.bytes = only_read(job.input);
  batch.stripes = job.stripes;
  batch.stripe_count = job.stripe_count;
  batch.groups = job.groups;
  batch.group_count = job.group_count;
  const ArrayLaunch launch(stream);
  const bool is_of_bits = job.values == OrcValues::boolean;
  const auto clear = [&](void* memory, std::uint64_t bytes) {
    if (bytes != 0) stage::clear(memory, bytes, stream);
  };
  clear(job.nulls, sizeof(*job.nulls));
  // A grid of no blocks is an error in CUDA.
  if (job.group_count == 0) return;
  clear(job.scratch, scratch.cleared_bytes);
  clear(job.validity, bytes_of_bits(job.rows));
  if (is_of_bits) clear(job.output, bytes_of_bits(job.rows));
  if (job.has_present) {
    launch.stream_of_stripes<ParallelByteRuns>(batch, {.is_present = true,
                                                       .rows_of_value = 8,
                                                       .value_bytes = 1,
                                                       .is_signed = false,
                                                       .output = batch.present,
                                                       .is_wrong = batch.present_is_wrong,
                                                       .status = batch.present_status});
  }
  launch.warps(batch.group_count, 0, count_orc_values, batch);
  launch.warps(batch.stripe_count, 0, find_orc_values, batch);
  decode_values(launch, job, batch);
  launch.warps(batch.group_count, 0, write_orc_rows, batch,
               ValuesOfColumn{.stored_bytes = is_of_bits                       ? 0U
                                              : job.coding == OrcCoding::bytes ? 1U
                                                                               : 8U,
                              .output_bytes = value_bytes_of(job.values),
                              .null_value = 0});
  launch.warps(batch.group_count, 0, write_orc_validity, batch, job.validity);
  if (is_of_bits) {
    launch.warps(batch.group_count, 0, write_orc_booleans, batch,
                 reinterpret_cast<std::uint32_t*>(job.output));
  }
  stage::launch({.thread_blocks = 1, .threads_per_block = lanes_of_warp, .shared_bytes = 0, .stream = stream},
                count_orc_nulls, batch, job.nulls);
  launch.threads(batch.group_count, 0, write_orc_status, batch, job.status);
}

void prepare_array(std::span<const std::uint8_t> tables, std::uint8_t* state, stage::Stream stream) {
  stage::copy_to_executor(state, tables, stream);
}

const OrcArrayKernelsOn array_kernels(stage::this_executor, {.scratch_bytes = scratch_bytes_of,
                                                             .prepare = prepare_array,
                                                             .enqueue = enqueue_array});

}  // namespace
}  // namespace gsst::codag::orc
