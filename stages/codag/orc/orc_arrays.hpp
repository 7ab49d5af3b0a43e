#pragma once

#include <cstdint>
#include <span>

#include "common/format/codag/status.hpp"
#include "common/format/host_device.hpp"
#include "common/stage/kernels_on.hpp"
#include "common/stage/plan.hpp"
#include "stages/codag/orc/orc_batch.hpp"
#include "stages/codag/orc/orc_column.hpp"

/// Columns of ORC files to arrays as Arrow has them, all in an executor's memory.
namespace gsst::codag::orc {

/// In the low bits of a row group's word, besides format::codag::Problem, which is of the values. 24 bits
/// above say the byte in the row group's part of the stream, or of value_out_of_range which value.
enum class OrcArrayStatus : std::uint8_t {
  decoded = 0,
  /// The same problems, in the stream of what is present: from here on.
  first_of_present = 64,
  /// A row group begins or ends in a stream elsewhere than its position and the numbers of rows say.
  position_in_data = 128,
  position_in_present = 129,
  /// The type does not have a value.
  value_out_of_range = 130,
};

GSST_HOST_DEVICE constexpr std::uint32_t word_of_row_group(std::uint32_t present, std::uint32_t data,
                                                           std::uint32_t value) {
  using format::codag::status_of;
  if (present == wrong_position) return static_cast<std::uint32_t>(OrcArrayStatus::position_in_present);
  if (present != 0) return present + static_cast<std::uint32_t>(OrcArrayStatus::first_of_present);
  if (data == wrong_position) return static_cast<std::uint32_t>(OrcArrayStatus::position_in_data);
  if (data != 0 || value == 0) return data;
  return status_of(static_cast<format::codag::Problem>(OrcArrayStatus::value_out_of_range), value - 1);
}

/// What kernels of an array are given. All pointers are to the executor's memory.
struct OrcArrayJob {
  OrcValues values;
  OrcCoding coding;
  bool has_present;
  /// The tables, as OrcArrayPlan lays them out.
  const BatchStream* streams;
  std::uint32_t stream_count;
  const std::uint32_t* chunk_begins;
  const std::uint32_t* stream_bytes;
  const BatchStripe* stripes;
  std::uint32_t stripe_count;
  const BatchGroup* groups;
  std::uint32_t group_count;
  const std::uint8_t* input;
  std::uint64_t rows;
  std::uint64_t present_bytes;
  std::uint64_t value_bytes;
  /// Aligned to scratch_alignment; as many bytes as OrcArrayKernels::scratch_bytes() says.
  std::uint8_t* scratch;
  /// The rows' values, or bits of booleans in whole words, aligned to 8.
  std::uint8_t* output;
  /// Bits of rows in whole words, 1 where a row is not null.
  std::uint32_t* validity;
  std::uint64_t* nulls;
  /// A word for each row group.
  std::uint32_t* status;
};

/// The kernels, for each executor.
struct OrcArrayKernels {
  /// What a job needs; its pointers are not used.
  std::uint64_t (*scratch_bytes)(const OrcArrayJob& job);
  /// Copies `tables` to `state`; may wait for the stream. Throws cuda::CudaError.
  void (*prepare)(std::span<const std::uint8_t> tables, std::uint8_t* state, stage::Stream stream);
  /// Enqueues the decoding: allocates nothing, waits for nothing. Throws cuda::CudaError.
  void (*enqueue)(const OrcArrayJob& job, stage::Stream stream);
};

using OrcArrayKernelsOn = stage::KernelsOn<OrcArrayKernels>;

/// Bytes of `rows` bits in whole words.
constexpr std::uint64_t bytes_of_bits(std::uint64_t rows) {
  return (rows + 31) / 32 * 4;
}

}  // namespace gsst::codag::orc
