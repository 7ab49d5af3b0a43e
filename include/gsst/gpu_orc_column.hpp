#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "gsst/gpu_chunks.hpp"
#include "gsst/gpu_column.hpp"
#include "gsst/gpu_orc_column.h"

/// @file
/// Columns of ORC files on a GPU in C++20, over the C functions of gpu_orc_column.h: what is said there holds
/// here too. Spans of an OrcMemory are of device memory, all others of host memory.

namespace gsst::gpu {

/// What a column decodes to; see gsst_orc_values.
enum class OrcValues : std::uint32_t {
  /// Arrow's bool.
  boolean = GSST_ORC_BOOLEAN,
  /// Arrow's int8.
  int8 = GSST_ORC_INT8,
  /// Arrow's int16.
  int16 = GSST_ORC_INT16,
  /// Arrow's int32.
  int32 = GSST_ORC_INT32,
  /// Arrow's int64.
  int64 = GSST_ORC_INT64,
  /// Arrow's date32.
  date = GSST_ORC_DATE,
  /// Arrow's uint32: numbers of entries of a stripe's dictionary.
  indices = GSST_ORC_INDICES,
};

/// Where in a stream the first value of a row group is.
using OrcPosition = gsst_orc_position;
/// A row group of a stripe.
using OrcRowGroup = gsst_orc_row_group;
/// The part of a stripe that is the column's.
using OrcStripe = gsst_orc_stripe;
/// Memory that a column needs.
using OrcSizes = gsst_gpu_orc_sizes;

/// What a file's metadata says of a column; see gsst_orc_column.
struct OrcColumn {
  /// What it decodes to.
  OrcValues values;
  /// How stream DATA is coded. Not ChunkCodec::deflate.
  ChunkCodec coding;
  /// In the order of their rows.
  std::span<const OrcStripe> stripes;
  /// Those of the first stripe, then those of the second one, and so on.
  std::span<const OrcRowGroup> row_groups;
};

/// Device memory for one execution; see gsst_gpu_orc_memory.
struct OrcMemory {
  /// At least OrcSizes::input_bytes, at any address.
  std::span<const std::byte> input;
  /// At least OrcSizes::values_bytes, aligned to 8.
  std::span<std::byte> values;
  /// At least OrcSizes::validity_bytes, aligned to 4.
  std::span<std::byte> validity;
  /// Receives the number of nulls. Aligned to 8.
  std::uint64_t* nulls;
  /// That of the last OrcPlan::prepare().
  std::span<const std::byte> state;
  /// At least OrcSizes::scratch_bytes, aligned to GSST_GPU_ORC_ALIGNMENT.
  std::span<std::byte> scratch;
  /// At least OrcSizes::status_count words.
  std::span<std::uint32_t> status;
};

/// Looks for the first row group that was not decoded in `status`, a copy in host memory. Returns the number
/// of row groups, all decoded. Errors: gsst_gpu_check_row_group_status().
inline Result<std::size_t> check_row_group_status(std::span<const std::uint32_t> status) {
  gsst_message message;
  const gsst_error error = gsst_gpu_check_row_group_status(status.data(), status.size(), &message);
  if (error != GSST_OK) return detail::failure(error, message);
  return status.size();
}

/// How a column is decoded.
class OrcPlan {
public:
  /// A plan from a column's metadata. Errors: gsst_gpu_orc_plan_create().
  static Result<OrcPlan> create(const OrcColumn& column) {
    const gsst_orc_column c_column{.struct_bytes = sizeof(gsst_orc_column),
                                   .values = static_cast<std::uint32_t>(column.values),
                                   .coding = static_cast<std::uint32_t>(column.coding),
                                   .reserved = 0,
                                   .stripes = column.stripes.data(),
                                   .stripe_count = column.stripes.size(),
                                   .row_groups = column.row_groups.data(),
                                   .row_group_count = column.row_groups.size()};
    gsst_gpu_orc_plan* plan = nullptr;
    gsst_message message;
    const gsst_error error = gsst_gpu_orc_plan_create(&c_column, &plan, &message);
    if (error != GSST_OK) return detail::failure(error, message);
    return OrcPlan(plan);
  }

  /// How much memory execute() needs. Not for a plan that was moved from.
  OrcSizes sizes() const {
    auto sizes = detail::sized<OrcSizes>();
    gsst_gpu_orc_plan_sizes(plan_.get(), &sizes);
    return sizes;
  }

  /// Copies the metadata to `state`, device memory, for the executions with it. Errors:
  /// gsst_gpu_orc_prepare().
  Result<Enqueued> prepare(std::span<std::byte> state, cudaStream_t stream) {
    gsst_message message;
    return detail::enqueued(gsst_gpu_orc_prepare(plan_.get(), state.data(), state.size(), stream, &message),
                            message);
  }

  /// Enqueues the decoding on `stream`. Errors: gsst_gpu_orc_execute().
  Result<Enqueued> execute(const OrcMemory& memory, cudaStream_t stream) const {
    const gsst_gpu_orc_memory c_memory = memory_of(memory);
    gsst_message message;
    return detail::enqueued(gsst_gpu_orc_execute(plan_.get(), &c_memory, stream, &message), message);
  }

  /// Describes the result of an execution as an Arrow array, whose memory stays that of `memory`.
  /// `null_count`: what was written to OrcMemory::nulls, if that was read. `event`: a cudaEvent_t that was
  /// recorded after the execution, or null where the stream is done. Errors: gsst_gpu_orc_array().
  Result<OwnedDeviceArray> array(const OrcMemory& memory, std::optional<std::uint64_t> null_count,
                                 cudaEvent_t* event) const {
    const gsst_gpu_orc_memory c_memory = memory_of(memory);
    OwnedDeviceArray made;
    gsst_message message;
    const gsst_error error =
        gsst_gpu_orc_array(plan_.get(), &c_memory, null_count ? static_cast<std::int64_t>(*null_count) : -1,
                           event, &made.schema(), &made.array(), &message);
    if (error != GSST_OK) return detail::failure(error, message);
    return Result<OwnedDeviceArray>(std::move(made));
  }

private:
  struct Destroy {
    void operator()(gsst_gpu_orc_plan* plan) const { gsst_gpu_orc_plan_destroy(plan); }
  };

  static gsst_gpu_orc_memory memory_of(const OrcMemory& memory) {
    return {.struct_bytes = sizeof(gsst_gpu_orc_memory),
            .reserved = 0,
            .input = memory.input.data(),
            .input_capacity = memory.input.size(),
            .values = memory.values.data(),
            .values_capacity = memory.values.size(),
            .validity = memory.validity.data(),
            .validity_capacity = memory.validity.size(),
            .nulls = memory.nulls,
            .state = memory.state.data(),
            .state_capacity = memory.state.size(),
            .scratch = memory.scratch.data(),
            .scratch_capacity = memory.scratch.size(),
            .status = memory.status.data(),
            .status_capacity = memory.status.size()};
  }

  explicit OrcPlan(gsst_gpu_orc_plan* plan) : plan_(plan) {}

  std::unique_ptr<gsst_gpu_orc_plan, Destroy> plan_;
};

}  // namespace gsst::gpu
