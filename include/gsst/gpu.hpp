#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "gsst/gpu.h"
#include "gsst/gsst.hpp"

/// @file
/// The codec on a GPU in C++20, over the C functions of gpu.h: what is said there of memory, streams and
/// errors holds here too. Spans of a DecompressMemory, a DeviceFrameMemory, a RangesMemory or a
/// CompressMemory are of device memory, all others of host memory. Nothing here throws but std::bad_alloc,
/// and value() of a result that has none.

/// The part of the library that works on a GPU.
namespace gsst::gpu {

/// Work that is on the stream now.
struct Enqueued {};

/// How to decompress; see gsst_gpu_decompress_options.
struct DecompressOptions {
  /// Frames of another one are refused. Not Format::fsst.
  Format format = Format::automatic;
  /// True: do not compare the stored checksums. Damage that still decodes is not detected then.
  bool skip_checksums = false;
};

/// Where symbol tables come from; see gsst_gpu_tables.
enum class Tables : std::uint32_t {
  /// Every execution trains them on the GPU, on its own input.
  trained = GSST_GPU_TABLES_TRAINED,
  /// CompressPlan::load_table() or CompressPlan::train_table() provides one for all blocks, before the first
  /// execution.
  loaded = GSST_GPU_TABLES_LOADED,
};

/// How to compress; 0 takes the default. See gsst_gpu_compress_options for the ranges.
struct CompressOptions {
  /// Where symbol tables come from.
  Tables tables = Tables::trained;
  /// Uncompressed bytes of each block but the last.
  std::uint64_t block_bytes = 0;
  /// Splits of each block, for Format::splits.
  std::uint32_t splits = 0;
  /// Consecutive blocks that share a trained table, for Format::splits.
  std::uint32_t blocks_per_table = 0;
  /// Format::splits or Format::tiles.
  Format format = Format::automatic;
  /// Bits of a code, for Format::tiles: 8, or with a loaded table 10 or 12.
  std::uint32_t code_bits = 0;
};

/// How to train a table on the CPU; 0 takes the default. See gsst_gpu_table_options for the ranges.
struct TableOptions {
  /// Format::splits or Format::tiles, as of the plans that the table is for.
  Format format = Format::automatic;
  /// Bits of a code, for Format::tiles.
  std::uint32_t code_bits = 0;
  /// Work done for a smaller output, for Format::tiles.
  std::uint32_t level = 0;
  /// Threads to work with, or GSST_THREADS_ALL.
  std::uint32_t threads = 0;
};

/// Device memory for one decompression; see gsst_gpu_decompress_memory.
struct DecompressMemory {
  /// The bytes that were planned, at any address.
  std::span<const std::byte> frame;
  /// At least DecompressSizes::output_bytes, at any address.
  std::span<std::byte> output;
  /// At least DecompressSizes::scratch_bytes, aligned to GSST_GPU_DECOMPRESS_ALIGNMENT.
  std::span<std::byte> scratch;
  /// At least DecompressSizes::status_count words. Receives one for each block.
  std::span<std::uint32_t> status;
};

/// What is known of a frame that is in device memory only; see gsst_gpu_frame_bounds for the ranges.
struct FrameBounds {
  /// The frame's.
  Format format = Format::tiles;
  /// The frame's, of a format that has splits.
  std::uint32_t splits = 0;
  /// True: do not compare the stored checksums of blocks. Damage that still decodes is not detected then.
  bool skip_checksums = false;
  /// At most, of the whole frame.
  std::uint64_t frame_bytes = 0;
  /// At most, of what it decompresses to.
  std::uint64_t output_bytes = 0;
  /// At most, uncompressed, of each block but the last.
  std::uint64_t block_bytes = 0;
  /// Blocks at most.
  std::uint64_t block_count = 0;
};

/// What became of a frame that is in device memory only.
using FrameResult = gsst_gpu_frame_result;

/// Device memory for one decompression of a frame that is in device memory only; see
/// gsst_gpu_device_frame_memory.
struct DeviceFrameMemory {
  /// At least FrameBounds::frame_bytes, at any address.
  std::span<const std::byte> frame;
  /// How many bytes of `frame` are the frame: one word, aligned to 8.
  const std::uint64_t* frame_bytes;
  /// At least FrameBounds::output_bytes, at any address.
  std::span<std::byte> output;
  /// At least DecompressSizes::scratch_bytes, aligned to GSST_GPU_DECOMPRESS_ALIGNMENT.
  std::span<std::byte> scratch;
  /// At least DecompressSizes::status_count words. Receives one for each block that the bounds allow.
  std::span<std::uint32_t> status;
  /// Receives what became of the frame. Aligned to 8.
  FrameResult* result;
};

/// Device memory for one decompression of ranges; see gsst_gpu_ranges_memory.
struct RangesMemory {
  /// The bytes that were planned, at any address.
  std::span<const std::byte> frame;
  /// In any order; read when the stream comes to it. Aligned to 8.
  std::span<const Range> ranges;
  /// Where the ranges say bytes are written, and nowhere else; at any address.
  std::span<std::byte> output;
  /// At least RangesSizes::scratch_bytes, aligned to GSST_GPU_DECOMPRESS_ALIGNMENT.
  std::span<std::byte> scratch;
  /// At least RangesSizes::status_count words. Receives one for each range.
  std::span<std::uint32_t> status;
};

/// Device memory for one compression; see gsst_gpu_compress_memory.
struct CompressMemory {
  /// The planned number of bytes, at any address.
  std::span<const std::byte> input;
  /// Receives the frame. At least CompressSizes::output_bytes, aligned to GSST_GPU_COMPRESS_ALIGNMENT.
  std::span<std::byte> output;
  /// At least CompressSizes::scratch_bytes, aligned to GSST_GPU_COMPRESS_ALIGNMENT.
  std::span<std::byte> scratch;
  /// Receives the bytes of the frame: one word, aligned to 8.
  std::uint64_t* frame_bytes;
};

/// Memory that a decompression needs.
using DecompressSizes = gsst_gpu_decompress_sizes;
/// Memory that a decompression of ranges needs.
using RangesSizes = gsst_gpu_ranges_sizes;
/// Memory that a compression needs.
using CompressSizes = gsst_gpu_compress_sizes;

namespace detail {

using gsst::detail::failure;
using gsst::detail::sized;

struct Destroy {
  void operator()(gsst_gpu_compress_plan* plan) const { gsst_gpu_compress_plan_destroy(plan); }
  void operator()(gsst_gpu_decompress_plan* plan) const { gsst_gpu_decompress_plan_destroy(plan); }
  void operator()(gsst_gpu_device_frame_plan* plan) const { gsst_gpu_device_frame_plan_destroy(plan); }
  void operator()(gsst_gpu_table* table) const { gsst_gpu_table_destroy(table); }
};

inline gsst_gpu_compress_options c_options(const CompressOptions& options) {
  return {.struct_bytes = sizeof(gsst_gpu_compress_options),
          .tables = static_cast<std::uint32_t>(options.tables),
          .block_bytes = options.block_bytes,
          .splits = options.splits,
          .blocks_per_table = options.blocks_per_table,
          .format = static_cast<std::uint32_t>(options.format),
          .code_bits = options.code_bits};
}

inline gsst_gpu_decompress_options c_options(const DecompressOptions& options) {
  return {.struct_bytes = sizeof(gsst_gpu_decompress_options),
          .format = static_cast<std::uint32_t>(options.format),
          .skip_checksums = options.skip_checksums ? 1U : 0U,
          .reserved = 0};
}

inline Result<Enqueued> enqueued(gsst_error error, const gsst_message& message) {
  if (error != GSST_OK) return failure(error, message);
  return Enqueued{};
}

}  // namespace detail

/// What the status `word` of a block means, in a few words.
inline const char* block_status_text(std::uint32_t word) {
  return gsst_gpu_block_status_text(word);
}

/// Looks for the first block that was not decoded in `status`, a copy in host memory. Returns the number of
/// blocks, all decoded. Errors: gsst_gpu_check_status().
inline Result<std::size_t> check_status(std::span<const std::uint32_t> status) {
  gsst_message message;
  const gsst_error error = gsst_gpu_check_status(status.data(), status.size(), &message);
  if (error != GSST_OK) return detail::failure(error, message);
  return status.size();
}

/// As check_status(), for the status words of ranges. Errors: gsst_gpu_check_range_status().
inline Result<std::size_t> check_range_status(std::span<const std::uint32_t> status) {
  gsst_message message;
  const gsst_error error = gsst_gpu_check_range_status(status.data(), status.size(), &message);
  if (error != GSST_OK) return detail::failure(error, message);
  return status.size();
}

/// Checks whether a frame that is in device memory only was accepted. `result` is a copy in host memory; the
/// function returns it. Errors: gsst_gpu_check_frame_result().
inline Result<FrameResult> check_frame_result(const FrameResult& result) {
  gsst_message message;
  const gsst_error error = gsst_gpu_check_frame_result(&result, &message);
  if (error != GSST_OK) return detail::failure(error, message);
  return result;
}

/// How a frame is decompressed.
class DecompressPlan {
public:
  /// Checks `frame`, in host memory, the whole frame and nothing more, and the header of every block. Errors:
  /// gsst_gpu_decompress_plan_create().
  static Result<DecompressPlan> create(std::span<const std::byte> frame,
                                       const DecompressOptions& options = {}) {
    const gsst_gpu_decompress_options c_options = detail::c_options(options);
    gsst_gpu_decompress_plan* plan = nullptr;
    gsst_message message;
    const gsst_error error =
        gsst_gpu_decompress_plan_create(frame.data(), frame.size(), &c_options, &plan, &message);
    if (error != GSST_OK) return detail::failure(error, message);
    return DecompressPlan(plan);
  }

  /// The same for a frame of Format::tiles in device memory. Waits for `stream`. Errors:
  /// gsst_gpu_decompress_plan_create_on_device().
  static Result<DecompressPlan> create_on_device(std::span<const std::byte> frame,
                                                 const DecompressOptions& options, cudaStream_t stream) {
    const gsst_gpu_decompress_options c_options = detail::c_options(options);
    gsst_gpu_decompress_plan* plan = nullptr;
    gsst_message message;
    const gsst_error error = gsst_gpu_decompress_plan_create_on_device(frame.data(), frame.size(), &c_options,
                                                                       stream, &plan, &message);
    if (error != GSST_OK) return detail::failure(error, message);
    return DecompressPlan(plan);
  }

  /// What the frame says about itself. Not for a plan that was moved from.
  FrameInfo info() const {
    auto info = detail::sized<FrameInfo>();
    gsst_gpu_decompress_plan_info(plan_.get(), &info);
    return info;
  }

  /// How much memory execute() needs. Not for a plan that was moved from.
  DecompressSizes sizes() const {
    auto sizes = detail::sized<DecompressSizes>();
    gsst_gpu_decompress_plan_sizes(plan_.get(), &sizes);
    return sizes;
  }

  /// Enqueues the decompression on `stream`. Errors: gsst_gpu_decompress_execute().
  Result<Enqueued> execute(const DecompressMemory& memory, cudaStream_t stream) const {
    const gsst_gpu_decompress_memory c_memory{.struct_bytes = sizeof(gsst_gpu_decompress_memory),
                                              .reserved = 0,
                                              .frame = memory.frame.data(),
                                              .frame_bytes = memory.frame.size(),
                                              .output = memory.output.data(),
                                              .output_capacity = memory.output.size(),
                                              .scratch = memory.scratch.data(),
                                              .scratch_capacity = memory.scratch.size(),
                                              .status = memory.status.data(),
                                              .status_capacity = memory.status.size()};
    gsst_message message;
    return detail::enqueued(gsst_gpu_decompress_execute(plan_.get(), &c_memory, stream, &message), message);
  }

  /// How much memory execute_ranges() needs for `range_count` ranges. Errors:
  /// gsst_gpu_decompress_ranges_sizes().
  Result<RangesSizes> ranges_sizes(std::size_t range_count) const {
    auto sizes = detail::sized<RangesSizes>();
    gsst_message message;
    const gsst_error error = gsst_gpu_decompress_ranges_sizes(plan_.get(), range_count, &sizes, &message);
    if (error != GSST_OK) return detail::failure(error, message);
    return sizes;
  }

  /// Enqueues the decompression of ranges on `stream`. Errors: gsst_gpu_decompress_ranges().
  Result<Enqueued> execute_ranges(const RangesMemory& memory, cudaStream_t stream) const {
    const gsst_gpu_ranges_memory c_memory{.struct_bytes = sizeof(gsst_gpu_ranges_memory),
                                          .reserved = 0,
                                          .frame = memory.frame.data(),
                                          .frame_bytes = memory.frame.size(),
                                          .ranges = memory.ranges.data(),
                                          .range_count = memory.ranges.size(),
                                          .output = memory.output.data(),
                                          .output_capacity = memory.output.size(),
                                          .scratch = memory.scratch.data(),
                                          .scratch_capacity = memory.scratch.size(),
                                          .status = memory.status.data(),
                                          .status_capacity = memory.status.size()};
    gsst_message message;
    return detail::enqueued(gsst_gpu_decompress_ranges(plan_.get(), &c_memory, stream, &message), message);
  }

private:
  explicit DecompressPlan(gsst_gpu_decompress_plan* plan) : plan_(plan) {}

  std::unique_ptr<gsst_gpu_decompress_plan, detail::Destroy> plan_;
};

/// How frames that are in device memory only are decompressed.
class DeviceFramePlan {
public:
  /// Plans the decompression of any frame within `bounds`. Errors: gsst_gpu_device_frame_plan_create().
  static Result<DeviceFramePlan> create(const FrameBounds& bounds) {
    const gsst_gpu_frame_bounds c_bounds{.struct_bytes = sizeof(gsst_gpu_frame_bounds),
                                         .format = static_cast<std::uint32_t>(bounds.format),
                                         .splits = bounds.splits,
                                         .skip_checksums = bounds.skip_checksums ? 1U : 0U,
                                         .frame_bytes = bounds.frame_bytes,
                                         .output_bytes = bounds.output_bytes,
                                         .block_bytes = bounds.block_bytes,
                                         .block_count = bounds.block_count};
    gsst_gpu_device_frame_plan* plan = nullptr;
    gsst_message message;
    const gsst_error error = gsst_gpu_device_frame_plan_create(&c_bounds, &plan, &message);
    if (error != GSST_OK) return detail::failure(error, message);
    return DeviceFramePlan(plan);
  }

  /// How much memory execute() needs. Not for a plan that was moved from.
  DecompressSizes sizes() const {
    auto sizes = detail::sized<DecompressSizes>();
    gsst_gpu_device_frame_plan_sizes(plan_.get(), &sizes);
    return sizes;
  }

  /// Enqueues the check of a frame and its decompression on `stream`. Errors:
  /// gsst_gpu_device_frame_execute().
  Result<Enqueued> execute(const DeviceFrameMemory& memory, cudaStream_t stream) const {
    const gsst_gpu_device_frame_memory c_memory{.struct_bytes = sizeof(gsst_gpu_device_frame_memory),
                                                .reserved = 0,
                                                .frame = memory.frame.data(),
                                                .frame_capacity = memory.frame.size(),
                                                .frame_bytes = memory.frame_bytes,
                                                .output = memory.output.data(),
                                                .output_capacity = memory.output.size(),
                                                .scratch = memory.scratch.data(),
                                                .scratch_capacity = memory.scratch.size(),
                                                .status = memory.status.data(),
                                                .status_capacity = memory.status.size(),
                                                .result = memory.result};
    gsst_message message;
    return detail::enqueued(gsst_gpu_device_frame_execute(plan_.get(), &c_memory, stream, &message), message);
  }

private:
  explicit DeviceFramePlan(gsst_gpu_device_frame_plan* plan) : plan_(plan) {}

  std::unique_ptr<gsst_gpu_device_frame_plan, detail::Destroy> plan_;
};

/// A symbol table for inputs like the one that it was trained on.
class Table {
public:
  /// Trains a table on the CPU for inputs like `sample`, in host memory. Errors: gsst_gpu_table_train_with().
  static Result<Table> train(std::span<const std::byte> sample, const TableOptions& options = {}) {
    const gsst_gpu_table_options c_options{.struct_bytes = sizeof(gsst_gpu_table_options),
                                           .format = static_cast<std::uint32_t>(options.format),
                                           .code_bits = options.code_bits,
                                           .level = options.level,
                                           .threads = options.threads};
    gsst_gpu_table* table = nullptr;
    gsst_message message;
    const gsst_error error =
        gsst_gpu_table_train_with(sample.data(), sample.size(), &c_options, &table, &message);
    if (error != GSST_OK) return detail::failure(error, message);
    return Table(table);
  }

  /// The table for C functions. It stays this object's.
  const gsst_gpu_table* get() const { return table_.get(); }

private:
  explicit Table(gsst_gpu_table* table) : table_(table) {}

  std::unique_ptr<gsst_gpu_table, detail::Destroy> table_;
};

/// How an input of a size is compressed.
class CompressPlan {
public:
  /// Plans the compression of any input of `input_bytes` bytes on the current device. Errors:
  /// gsst_gpu_compress_plan_create().
  static Result<CompressPlan> create(std::size_t input_bytes, const CompressOptions& options = {}) {
    const gsst_gpu_compress_options c_options = detail::c_options(options);
    gsst_gpu_compress_plan* plan = nullptr;
    gsst_message message;
    const gsst_error error = gsst_gpu_compress_plan_create(input_bytes, &c_options, &plan, &message);
    if (error != GSST_OK) return detail::failure(error, message);
    return CompressPlan(plan);
  }

  /// How much memory execute() needs. Not for a plan that was moved from.
  CompressSizes sizes() const {
    auto sizes = detail::sized<CompressSizes>();
    gsst_gpu_compress_plan_sizes(plan_.get(), &sizes);
    return sizes;
  }

  /// Puts `table` into `scratch`, device memory, for the executions there. Errors:
  /// gsst_gpu_compress_load_table().
  Result<Enqueued> load_table(const Table& table, std::span<std::byte> scratch, cudaStream_t stream) {
    gsst_message message;
    return detail::enqueued(gsst_gpu_compress_load_table(plan_.get(), table.get(), scratch.data(),
                                                         scratch.size(), stream, &message),
                            message);
  }

  /// Enqueues the training of a table on `input`, device memory with the planned number of bytes, into
  /// `scratch`, for the executions there. Errors: gsst_gpu_compress_train_table().
  Result<Enqueued> train_table(std::span<const std::byte> input, std::span<std::byte> scratch,
                               cudaStream_t stream) {
    gsst_message message;
    return detail::enqueued(gsst_gpu_compress_train_table(plan_.get(), input.data(), input.size(),
                                                          scratch.data(), scratch.size(), stream, &message),
                            message);
  }

  /// Enqueues the compression on `stream`. Errors: gsst_gpu_compress_execute().
  Result<Enqueued> execute(const CompressMemory& memory, cudaStream_t stream) const {
    const gsst_gpu_compress_memory c_memory{.struct_bytes = sizeof(gsst_gpu_compress_memory),
                                            .reserved = 0,
                                            .input = memory.input.data(),
                                            .input_bytes = memory.input.size(),
                                            .output = memory.output.data(),
                                            .output_capacity = memory.output.size(),
                                            .scratch = memory.scratch.data(),
                                            .scratch_capacity = memory.scratch.size(),
                                            .frame_bytes = memory.frame_bytes};
    gsst_message message;
    return detail::enqueued(gsst_gpu_compress_execute(plan_.get(), &c_memory, stream, &message), message);
  }

private:
  explicit CompressPlan(gsst_gpu_compress_plan* plan) : plan_(plan) {}

  std::unique_ptr<gsst_gpu_compress_plan, detail::Destroy> plan_;
};

}  // namespace gsst::gpu
