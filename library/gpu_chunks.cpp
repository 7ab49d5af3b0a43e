#include "gsst/gpu_chunks.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/format/codag/deflate.hpp"
#include "common/format/codag/status.hpp"
#include "library/arguments.hpp"
#include "library/failure.hpp"
#include "library/gpu_device.hpp"
#include "library/gpu_memory.hpp"
#include "library/known_struct.hpp"
#include "library/options.hpp"
#include "stages/codag/chunks/chunk_job.hpp"
#include "stages/codag/chunks/chunk_plan.hpp"

// The functions of gpu_chunks.h.

/// What these functions are given.
struct gsst_gpu_chunks_plan {
  gsst::codag::chunks::ChunkPlan plan;
};

template <>
inline constexpr std::size_t gsst::library::first_struct_bytes<gsst_gpu_chunks_options> = 16;
template <>
inline constexpr std::size_t gsst::library::first_struct_bytes<gsst_gpu_chunks_bounds> = 32;
template <>
inline constexpr std::size_t gsst::library::first_struct_bytes<gsst_gpu_chunks_sizes> = 40;
template <>
inline constexpr std::size_t gsst::library::first_struct_bytes<gsst_gpu_chunks_memory> = 88;

namespace {

namespace library = gsst::library;
using gsst::codag::chunks::ChunkBounds;
using gsst::codag::chunks::ChunkCodec;
using gsst::codag::chunks::ChunkCoding;
using gsst::codag::chunks::ChunkPlace;
using gsst::codag::chunks::ChunkPlan;
using gsst::codag::chunks::ChunkRefusal;
using library::ApiError;
using library::GpuMemoryPart;

static_assert(sizeof(gsst_chunk) == sizeof(ChunkPlace) && alignof(gsst_chunk) == alignof(ChunkPlace) &&
              offsetof(gsst_chunk, output_offset) == offsetof(ChunkPlace, output_offset) &&
              offsetof(gsst_chunk, input_bytes) == offsetof(ChunkPlace, input_bytes) &&
              offsetof(gsst_chunk, output_bytes) == offsetof(ChunkPlace, output_bytes));

// The numbers are the kernels'.
template <typename Status>
constexpr bool is_number_of(gsst_chunk_status status, Status of_kernels, std::uint32_t first = 0) {
  return static_cast<std::uint32_t>(status) == first + static_cast<std::uint32_t>(of_kernels);
}
using gsst::codag::chunks::first_deflate_status;
using gsst::format::codag::DeflateStatus;
using gsst::format::codag::Problem;
static_assert(is_number_of(GSST_CHUNK_TOO_FEW_VALUES, Problem::too_few_values) &&
              is_number_of(GSST_CHUNK_TOO_MANY_VALUES, Problem::too_many_values) &&
              is_number_of(GSST_CHUNK_CUT_RUN, Problem::cut_run) &&
              is_number_of(GSST_CHUNK_OVERLONG_VARINT, Problem::overlong_varint) &&
              is_number_of(GSST_CHUNK_WIDTH_OUT_OF_RANGE, Problem::width_out_of_range) &&
              is_number_of(GSST_CHUNK_PATCH_OUT_OF_RANGE, Problem::patch_out_of_range) &&
              is_number_of(GSST_CHUNK_BYTES_LEFT, Problem::bytes_left));
constexpr bool is_of_deflate(gsst_chunk_status status, DeflateStatus of_kernels) {
  return is_number_of(status, of_kernels, first_deflate_status);
}
static_assert(is_of_deflate(GSST_CHUNK_OUTPUT_TOO_SHORT, DeflateStatus::output_too_short) &&
              is_of_deflate(GSST_CHUNK_OUTPUT_TOO_LONG, DeflateStatus::output_too_long) &&
              is_of_deflate(GSST_CHUNK_INPUT_ENDS_EARLY, DeflateStatus::input_ends_early) &&
              is_of_deflate(GSST_CHUNK_BYTES_AFTER_END, DeflateStatus::bytes_after_end) &&
              is_of_deflate(GSST_CHUNK_RESERVED_BLOCK_TYPE, DeflateStatus::reserved_block_type) &&
              is_of_deflate(GSST_CHUNK_WRONG_STORED_LENGTH, DeflateStatus::wrong_stored_length) &&
              is_of_deflate(GSST_CHUNK_TOO_MANY_CODES, DeflateStatus::too_many_codes) &&
              is_of_deflate(GSST_CHUNK_OVER_SUBSCRIBED_CODE_LENGTHS,
                            DeflateStatus::over_subscribed_code_lengths) &&
              is_of_deflate(GSST_CHUNK_INCOMPLETE_CODE_LENGTHS, DeflateStatus::incomplete_code_lengths) &&
              is_of_deflate(GSST_CHUNK_REPEAT_WITHOUT_LENGTH, DeflateStatus::repeat_without_length) &&
              is_of_deflate(GSST_CHUNK_REPEAT_PAST_END, DeflateStatus::repeat_past_end) &&
              is_of_deflate(GSST_CHUNK_OVER_SUBSCRIBED_LITERALS, DeflateStatus::over_subscribed_literals) &&
              is_of_deflate(GSST_CHUNK_INCOMPLETE_LITERALS, DeflateStatus::incomplete_literals) &&
              is_of_deflate(GSST_CHUNK_NO_END_OF_BLOCK, DeflateStatus::no_end_of_block) &&
              is_of_deflate(GSST_CHUNK_OVER_SUBSCRIBED_DISTANCES, DeflateStatus::over_subscribed_distances) &&
              is_of_deflate(GSST_CHUNK_INCOMPLETE_DISTANCES, DeflateStatus::incomplete_distances) &&
              is_of_deflate(GSST_CHUNK_UNUSED_LENGTH, DeflateStatus::unused_length) &&
              is_of_deflate(GSST_CHUNK_UNUSED_DISTANCE, DeflateStatus::unused_distance) &&
              is_of_deflate(GSST_CHUNK_DISTANCE_BEFORE_CHUNK, DeflateStatus::distance_before_block));
static_assert(is_number_of(GSST_CHUNK_WRONG_SIZE, ChunkRefusal::wrong_size) &&
              is_number_of(GSST_CHUNK_OUTSIDE_INPUT, ChunkRefusal::outside_input) &&
              is_number_of(GSST_CHUNK_OUTSIDE_OUTPUT, ChunkRefusal::outside_output));

struct ChunkType {
  std::uint32_t value_bytes;
  bool is_signed;
};

ChunkType chunk_type_of(std::uint32_t number) {
  switch (number) {
    case GSST_CHUNK_BYTES:
      return {.value_bytes = 1, .is_signed = false};
    case GSST_CHUNK_I8:
      return {.value_bytes = 1, .is_signed = true};
    case GSST_CHUNK_I16:
      return {.value_bytes = 2, .is_signed = true};
    case GSST_CHUNK_I32:
      return {.value_bytes = 4, .is_signed = true};
    case GSST_CHUNK_I64:
      return {.value_bytes = 8, .is_signed = true};
    case GSST_CHUNK_U32:
      return {.value_bytes = 4, .is_signed = false};
    case GSST_CHUNK_U64:
      return {.value_bytes = 8, .is_signed = false};
    default:
      throw std::invalid_argument("type: " + std::to_string(number) + " is none");
  }
}

ChunkCoding chunk_coding_of(const gsst_gpu_chunks_options* given) {
  library::check_not_null(given, "options");
  const auto options = library::known_struct("options", given);
  library::check_flag("output_bytes_are_bounds", options.output_bytes_are_bounds);
  const ChunkType type = chunk_type_of(options.type);
  const bool is_of_integers = options.codec == GSST_CHUNK_RLE_V1 || options.codec == GSST_CHUNK_RLE_V2;
  if (is_of_integers && options.type == GSST_CHUNK_BYTES) {
    throw std::invalid_argument("type: run lengths of integers need one");
  }
  return {.codec = static_cast<ChunkCodec>(options.codec),
          .value_bytes = type.value_bytes,
          .is_signed = type.is_signed,
          .may_have_less = options.output_bytes_are_bounds == 1};
}

// Makes `plan` of what `make` returns.
template <typename Make>
gsst_error create_chunks_plan(gsst_gpu_chunks_plan** plan, gsst_message* message, const Make& make) {
  if (plan != nullptr) *plan = nullptr;
  return library::report_errors(message, [&] {
    library::check_not_null(static_cast<const void*>(plan), "plan");
    auto made = std::make_unique<gsst_gpu_chunks_plan>(gsst_gpu_chunks_plan{make()});
    *plan = made.release();
  });
}

constexpr std::uint64_t chunk_word_bytes = sizeof(std::uint32_t);

gsst_gpu_chunks_sizes sizes_of_chunks(const ChunkPlan& plan) {
  const ChunkBounds& bounds = plan.bounds();
  return {.struct_bytes = 0,
          .reserved = 0,
          .input_bytes = bounds.input_bytes,
          .output_bytes = bounds.output_bytes,
          .chunk_count = bounds.chunk_count,
          .device_bytes = bounds.input_bytes + bounds.output_bytes +
                          bounds.chunk_count * (sizeof(gsst_chunk) + 2 * chunk_word_bytes)};
}

std::vector<GpuMemoryPart> chunk_memory_parts(const gsst_gpu_chunks_memory& memory, const ChunkPlan& plan) {
  const ChunkBounds& bounds = plan.bounds();
  const std::uint64_t words = bounds.chunk_count * chunk_word_bytes;
  const bool has_written = memory.written != nullptr || plan.coding().may_have_less;
  return {
      {"input", memory.input, memory.input_capacity, bounds.input_bytes, 1, GSST_ERROR_INVALID_ARGUMENT},
      {"chunks", memory.chunks, memory.chunk_capacity * sizeof(gsst_chunk),
       bounds.chunk_count * sizeof(gsst_chunk), alignof(gsst_chunk), GSST_ERROR_INVALID_ARGUMENT},
      {"output", memory.output, memory.output_capacity, bounds.output_bytes, 1, GSST_ERROR_OUTPUT_TOO_SMALL},
      {"written", memory.written, memory.written_capacity * chunk_word_bytes, has_written ? words : 0,
       chunk_word_bytes, GSST_ERROR_OUTPUT_TOO_SMALL},
      {"status", memory.status, memory.status_capacity * chunk_word_bytes, words, chunk_word_bytes,
       GSST_ERROR_OUTPUT_TOO_SMALL}};
}

gsst_error error_of_chunk(std::uint32_t word) {
  switch (GSST_CHUNK_STATUS(word)) {
    case GSST_CHUNK_WRONG_SIZE:
    case GSST_CHUNK_OUTSIDE_INPUT:
      return GSST_ERROR_INVALID_ARGUMENT;
    case GSST_CHUNK_OUTSIDE_OUTPUT:
      return GSST_ERROR_OUTPUT_TOO_SMALL;
    default:
      return GSST_ERROR_DAMAGED;
  }
}

}  // namespace

gsst_error gsst_gpu_check_chunk_status(const uint32_t* status, size_t count, gsst_message* message) {
  return library::report_errors(message, [&] {
    if (count != 0) library::check_not_null(status, "status");
    for (std::size_t chunk = 0; chunk < count; ++chunk) {
      if (status[chunk] == GSST_CHUNK_DECODED) continue;
      throw ApiError(
          error_of_chunk(status[chunk]),
          "chunk " + std::to_string(chunk) + ": " + gsst::codag::chunks::describe_chunk_word(status[chunk]));
    }
  });
}

gsst_error gsst_gpu_chunks_plan_create(const gsst_chunk* chunks, size_t count,
                                       const gsst_gpu_chunks_options* options, gsst_gpu_chunks_plan** plan,
                                       gsst_message* message) {
  return create_chunks_plan(plan, message, [&] {
    const ChunkCoding coding = chunk_coding_of(options);
    if (count != 0) library::check_not_null(chunks, "chunks");
    return ChunkPlan(gsst::stage::Executor::gpu, coding,
                     std::span(reinterpret_cast<const ChunkPlace*>(chunks), count));
  });
}

gsst_error gsst_gpu_chunks_plan_create_within(const gsst_gpu_chunks_bounds* bounds,
                                              const gsst_gpu_chunks_options* options,
                                              gsst_gpu_chunks_plan** plan, gsst_message* message) {
  return create_chunks_plan(plan, message, [&] {
    library::check_not_null(bounds, "bounds");
    const auto known = library::known_struct("bounds", bounds);
    library::check_zero("bounds: reserved", known.reserved);
    return ChunkPlan(gsst::stage::Executor::gpu, chunk_coding_of(options),
                     ChunkBounds{.chunk_count = known.chunk_count,
                                 .input_bytes = known.input_bytes,
                                 .output_bytes = known.output_bytes});
  });
}

void gsst_gpu_chunks_plan_destroy(gsst_gpu_chunks_plan* plan) {
  const std::unique_ptr<gsst_gpu_chunks_plan> owned(plan);
}

gsst_error gsst_gpu_chunks_plan_sizes(const gsst_gpu_chunks_plan* plan, gsst_gpu_chunks_sizes* sizes) {
  return library::report_errors(nullptr, [&] {
    library::check_not_null(plan, "plan");
    library::check_not_null(sizes, "sizes");
    library::store_struct("sizes", sizes_of_chunks(plan->plan), sizes);
  });
}

gsst_error gsst_gpu_chunks_execute(const gsst_gpu_chunks_plan* plan, const gsst_gpu_chunks_memory* memory,
                                   cudaStream_t stream, gsst_message* message) {
  return library::report_gpu_errors(message, [&] {
    const auto given = library::check_execution(plan, memory);
    library::check_memory_to_decompress(chunk_memory_parts(given, plan->plan),
                                        ChunkPlan::minimum_compute_capability);
    plan->plan.enqueue({.input = static_cast<const std::uint8_t*>(given.input),
                        .chunks = reinterpret_cast<const ChunkPlace*>(given.chunks),
                        .output = static_cast<std::uint8_t*>(given.output),
                        .written = given.written,
                        .status = given.status},
                       stream);
  });
}
