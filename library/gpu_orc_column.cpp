#include "gsst/gpu_orc_column.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/cuda/error.hpp"
#include "library/arguments.hpp"
#include "library/failure.hpp"
#include "library/gpu_device.hpp"
#include "library/gpu_memory.hpp"
#include "library/known_struct.hpp"
#include "library/options.hpp"
#include "stages/codag/orc/array_plan.hpp"
#include "stages/codag/orc/orc_arrays.hpp"
#include "stages/codag/orc/orc_column.hpp"

// The functions of gpu_orc_column.h.

/// What these functions are given.
struct gsst_gpu_orc_plan {
  gsst::codag::orc::OrcArrayPlan plan;
  /// The state that the metadata was copied to; null before.
  const void* prepared = nullptr;
};

template <>
inline constexpr std::size_t gsst::library::first_struct_bytes<gsst_orc_column> = 48;
template <>
inline constexpr std::size_t gsst::library::first_struct_bytes<gsst_gpu_orc_sizes> = 72;
template <>
inline constexpr std::size_t gsst::library::first_struct_bytes<gsst_gpu_orc_memory> = 112;

namespace {

namespace library = gsst::library;
namespace orc = gsst::codag::orc;
using library::ApiError;
using library::GpuMemoryPart;
using orc::OrcArrayStatus;

static_assert(static_cast<std::uint32_t>(OrcArrayStatus::first_of_present) == GSST_ORC_IN_PRESENT &&
              static_cast<std::uint32_t>(OrcArrayStatus::position_in_data) == GSST_ORC_WRONG_POSITION &&
              static_cast<std::uint32_t>(OrcArrayStatus::position_in_present) ==
                  GSST_ORC_WRONG_POSITION_IN_PRESENT &&
              static_cast<std::uint32_t>(OrcArrayStatus::value_out_of_range) == GSST_ORC_VALUE_OUT_OF_RANGE);

orc::OrcValues orc_values_of(std::uint32_t number) {
  switch (number) {
    case GSST_ORC_BOOLEAN:
      return orc::OrcValues::boolean;
    case GSST_ORC_INT8:
      return orc::OrcValues::int8;
    case GSST_ORC_INT16:
      return orc::OrcValues::int16;
    case GSST_ORC_INT32:
      return orc::OrcValues::int32;
    case GSST_ORC_INT64:
      return orc::OrcValues::int64;
    case GSST_ORC_DATE:
      return orc::OrcValues::date;
    case GSST_ORC_INDICES:
      return orc::OrcValues::indices;
    default:
      throw std::invalid_argument("column: values " + std::to_string(number) + " are none");
  }
}

const char* arrow_format_of(orc::OrcValues values) {
  switch (values) {
    case orc::OrcValues::boolean:
      return "b";
    case orc::OrcValues::int8:
      return "c";
    case orc::OrcValues::int16:
      return "s";
    case orc::OrcValues::int32:
      return "i";
    case orc::OrcValues::int64:
      return "l";
    case orc::OrcValues::date:
      return "tdD";
    case orc::OrcValues::indices:
      break;
  }
  return "I";
}

orc::OrcCoding orc_coding_of(std::uint32_t number) {
  switch (number) {
    case GSST_CHUNK_BYTE_RLE:
      return orc::OrcCoding::bytes;
    case GSST_CHUNK_RLE_V1:
      return orc::OrcCoding::run_lengths_v1;
    case GSST_CHUNK_RLE_V2:
      return orc::OrcCoding::run_lengths_v2;
    default:
      throw std::invalid_argument("column: coding " + std::to_string(number) + " is none of values");
  }
}

orc::OrcPosition orc_position_of(const gsst_orc_position& given) {
  return {.chunk = 0, .byte = given.byte, .values = given.values, .bits = given.bits};
}

// The metadata as the plan knows it.
orc::OrcColumn orc_column_of(const gsst_orc_column* column) {
  library::check_not_null(column, "column");
  const auto given = library::known_struct("column", column);
  library::check_zero("column: reserved", given.reserved);
  if (given.stripe_count != 0) library::check_not_null(given.stripes, "column: stripes");
  if (given.row_group_count != 0) library::check_not_null(given.row_groups, "column: row_groups");
  orc::OrcColumn made = {.name = "",
                         .values = orc_values_of(given.values),
                         .compression = orc::OrcCompression::none,
                         .chunk_bytes = 0,
                         .rows = 0,
                         .stripes = {}};
  const orc::OrcCoding coding = orc_coding_of(given.coding);
  std::span left(given.row_groups, given.row_group_count);
  for (const gsst_orc_stripe& stripe : std::span(given.stripes, given.stripe_count)) {
    const std::string place = "stripe " + std::to_string(made.stripes.size()) + ": ";
    library::check_flag((place + "has_present").c_str(), stripe.has_present);
    library::check_zero((place + "reserved").c_str(), stripe.reserved);
    if (stripe.row_group_count > left.size()) {
      throw std::invalid_argument(place + "has more row groups than row_group_count has left");
    }
    orc::OrcStripe& added = made.stripes.emplace_back();
    added.rows = stripe.rows;
    added.coding = coding;
    added.dictionary_entries = stripe.dictionary_entries;
    if (stripe.has_present == 1) {
      added.present = {.offset = stripe.present_offset, .bytes = stripe.present_bytes};
    }
    added.data = {.offset = stripe.data_offset, .bytes = stripe.data_bytes};
    for (const gsst_orc_row_group& group : left.first(stripe.row_group_count)) {
      added.row_groups.push_back({.rows = group.rows,
                                  .present = orc_position_of(group.present),
                                  .data = orc_position_of(group.data)});
    }
    left = left.subspan(stripe.row_group_count);
  }
  if (!left.empty()) {
    throw std::invalid_argument("column: row_group_count is " + std::to_string(given.row_group_count) +
                                ", the stripes have " + std::to_string(given.row_group_count - left.size()));
  }
  return made;
}

constexpr std::uint64_t row_group_word_bytes = sizeof(std::uint32_t);

gsst_gpu_orc_sizes sizes_of_orc(const orc::OrcArrayPlan& plan) {
  return {.struct_bytes = 0,
          .reserved = 0,
          .input_bytes = plan.input_bytes(),
          .rows = plan.rows(),
          .values_bytes = plan.values_bytes(),
          .validity_bytes = plan.validity_bytes(),
          .state_bytes = plan.state_bytes(),
          .scratch_bytes = plan.scratch_bytes(),
          .status_count = plan.status_count(),
          .device_bytes = plan.input_bytes() + plan.values_bytes() + plan.validity_bytes() +
                          plan.state_bytes() + plan.scratch_bytes() +
                          plan.status_count() * row_group_word_bytes + sizeof(std::uint64_t)};
}

GpuMemoryPart orc_state_part(const void* state, std::uint64_t capacity, const orc::OrcArrayPlan& plan) {
  return {"state", state, capacity, plan.state_bytes(), GSST_GPU_ORC_ALIGNMENT, GSST_ERROR_SCRATCH_TOO_SMALL};
}

std::vector<GpuMemoryPart> orc_memory_parts(const gsst_gpu_orc_memory& memory,
                                            const orc::OrcArrayPlan& plan) {
  return {{"input", memory.input, memory.input_capacity, plan.input_bytes(), 1, GSST_ERROR_INVALID_ARGUMENT},
          {"values", memory.values, memory.values_capacity, plan.values_bytes(), alignof(std::uint64_t),
           GSST_ERROR_OUTPUT_TOO_SMALL},
          {"validity", memory.validity, memory.validity_capacity, plan.validity_bytes(),
           alignof(std::uint32_t), GSST_ERROR_OUTPUT_TOO_SMALL},
          {"nulls", memory.nulls, sizeof(std::uint64_t), sizeof(std::uint64_t), alignof(std::uint64_t),
           GSST_ERROR_OUTPUT_TOO_SMALL},
          orc_state_part(memory.state, memory.state_capacity, plan),
          {"scratch", memory.scratch, memory.scratch_capacity, plan.scratch_bytes(), GSST_GPU_ORC_ALIGNMENT,
           GSST_ERROR_SCRATCH_TOO_SMALL},
          {"status", memory.status, memory.status_capacity * row_group_word_bytes,
           plan.status_count() * row_group_word_bytes, row_group_word_bytes, GSST_ERROR_OUTPUT_TOO_SMALL}};
}

void check_metadata_is_not_captured(cudaStream_t stream) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  GSST_CUDA_CHECK(cudaStreamIsCapturing(stream, &status));
  if (status == cudaStreamCaptureStatusNone) return;
  throw ApiError(GSST_ERROR_INVALID_ARGUMENT, "stream is being captured: prepare the plan before");
}

// What an array points to: memory of the caller.
using OrcArrayBuffers = std::array<const void*, 2>;

void release_orc_schema(ArrowSchema* schema) {
  schema->release = nullptr;
}

void release_orc_array(ArrowArray* array) {
  const std::unique_ptr<OrcArrayBuffers> owned(static_cast<OrcArrayBuffers*>(array->private_data));
  array->release = nullptr;
}

}  // namespace

gsst_error gsst_gpu_check_row_group_status(const uint32_t* status, size_t count, gsst_message* message) {
  return library::report_errors(message, [&] {
    if (count != 0) library::check_not_null(status, "status");
    for (std::size_t group = 0; group < count; ++group) {
      if (status[group] == GSST_ORC_DECODED) continue;
      throw ApiError(GSST_ERROR_DAMAGED, "row group " + std::to_string(group) + ": " +
                                             orc::describe_row_group_word(status[group]));
    }
  });
}

gsst_error gsst_gpu_orc_plan_create(const gsst_orc_column* column, gsst_gpu_orc_plan** plan,
                                    gsst_message* message) {
  if (plan != nullptr) *plan = nullptr;
  return library::report_errors(message, [&] {
    library::check_not_null(static_cast<const void*>(plan), "plan");
    auto made = std::make_unique<gsst_gpu_orc_plan>(
        gsst_gpu_orc_plan{orc::OrcArrayPlan(gsst::stage::Executor::gpu, orc_column_of(column))});
    *plan = made.release();
  });
}

void gsst_gpu_orc_plan_destroy(gsst_gpu_orc_plan* plan) {
  const std::unique_ptr<gsst_gpu_orc_plan> owned(plan);
}

gsst_error gsst_gpu_orc_plan_sizes(const gsst_gpu_orc_plan* plan, gsst_gpu_orc_sizes* sizes) {
  return library::report_errors(nullptr, [&] {
    library::check_not_null(plan, "plan");
    library::check_not_null(sizes, "sizes");
    library::store_struct("sizes", sizes_of_orc(plan->plan), sizes);
  });
}

gsst_error gsst_gpu_orc_prepare(gsst_gpu_orc_plan* plan, void* state, size_t state_capacity,
                                cudaStream_t stream, gsst_message* message) {
  return library::report_gpu_errors(message, [&] {
    library::check_not_null(plan, "plan");
    library::check_memory_to_decompress({orc_state_part(state, state_capacity, plan->plan)},
                                        orc::OrcArrayPlan::minimum_compute_capability);
    check_metadata_is_not_captured(stream);
    plan->prepared = nullptr;
    plan->plan.prepare(static_cast<std::uint8_t*>(state), stream);
    plan->prepared = state;
  });
}

gsst_error gsst_gpu_orc_execute(const gsst_gpu_orc_plan* plan, const gsst_gpu_orc_memory* memory,
                                cudaStream_t stream, gsst_message* message) {
  return library::report_gpu_errors(message, [&] {
    const auto given = library::check_execution(plan, memory);
    library::check_memory_to_decompress(orc_memory_parts(given, plan->plan),
                                        orc::OrcArrayPlan::minimum_compute_capability);
    // Kernels trust it.
    if (plan->plan.state_bytes() != 0 && plan->prepared != given.state) {
      throw std::invalid_argument("state: the plan was not prepared with it");
    }
    plan->plan.enqueue({.input = static_cast<const std::uint8_t*>(given.input),
                        .values = static_cast<std::uint8_t*>(given.values),
                        .validity = static_cast<std::uint32_t*>(given.validity),
                        .nulls = given.nulls,
                        .state = static_cast<const std::uint8_t*>(given.state),
                        .scratch = static_cast<std::uint8_t*>(given.scratch),
                        .status = given.status},
                       stream);
  });
}

gsst_error gsst_gpu_orc_array(const gsst_gpu_orc_plan* plan, const gsst_gpu_orc_memory* memory,
                              int64_t null_count, void* sync_event, ArrowSchema* schema,
                              ArrowDeviceArray* array, gsst_message* message) {
  return library::report_gpu_errors(message, [&] {
    const auto given = library::check_execution(plan, memory);
    library::check_not_null(schema, "schema");
    library::check_not_null(array, "array");
    const auto rows = static_cast<std::int64_t>(plan->plan.rows());
    if (null_count < -1 || null_count > rows) {
      throw std::invalid_argument("null_count: is " + std::to_string(null_count) + " of " +
                                  std::to_string(rows) + " rows");
    }
    if (rows != 0) {
      library::check_not_null(given.values, "values");
      library::check_not_null(given.validity, "validity");
    }
    const int device = library::current_device();
    auto buffers = std::make_unique<OrcArrayBuffers>(OrcArrayBuffers{given.validity, given.values});
    *schema = {.format = arrow_format_of(plan->plan.values()),
               .name = "",
               .metadata = nullptr,
               .flags = ARROW_FLAG_NULLABLE,
               .n_children = 0,
               .children = nullptr,
               .dictionary = nullptr,
               .release = release_orc_schema,
               .private_data = nullptr};
    *array = {.array = {.length = rows,
                        .null_count = null_count,
                        .offset = 0,
                        .n_buffers = 2,
                        .n_children = 0,
                        .buffers = buffers->data(),
                        .children = nullptr,
                        .dictionary = nullptr,
                        .release = release_orc_array,
                        .private_data = nullptr},
              .device_id = device,
              .device_type = ARROW_DEVICE_CUDA,
              .sync_event = sync_event,
              .reserved = {}};
    array->array.private_data = buffers.release();
  });
}
