#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/stage/stage.hpp"
#include "stages/codag/orc/orc_arrays.hpp"

namespace gsst::codag::orc {

/// Memory of the executor for one execution: what the plan's sizes say.
struct OrcArrayMemory {
  /// Any address.
  const std::uint8_t* input;
  /// Aligned to 8.
  std::uint8_t* values;
  /// Aligned to 4.
  std::uint32_t* validity;
  /// One word, aligned to 8.
  std::uint64_t* nulls;
  /// As prepare() has left it; aligned to 256.
  const std::uint8_t* state;
  /// Aligned to 256; what it holds does not matter.
  std::uint8_t* scratch;
  /// Aligned to 4.
  std::uint32_t* status;
};

/// Decodes a column whose metadata the host has and whose streams, which are not compressed, are in an
/// executor's memory: to an array with validity there.
class OrcArrayPlan {
public:
  /// Offsets of `column` count from the first byte of the input. Throws std::invalid_argument naming the
  /// stripe for streams that are compressed, stripes that are coded differently, and metadata that
  /// contradicts itself: what streams hold is checked by kernels.
  OrcArrayPlan(stage::Executor executor, const OrcColumn& column);

  std::uint64_t rows() const { return job_.rows; }
  OrcValues values() const { return job_.values; }
  /// Bytes of the input that are read: up to the last stream's end.
  std::uint64_t input_bytes() const { return input_bytes_; }
  /// Of booleans bits in whole words.
  std::uint64_t values_bytes() const;
  std::uint64_t validity_bytes() const { return bytes_of_bits(job_.rows); }
  std::uint64_t state_bytes() const { return tables_.size(); }
  std::uint64_t scratch_bytes() const { return kernels_.scratch_bytes(job_); }
  /// Words of status: the row groups of all stripes.
  std::uint64_t status_count() const { return job_.group_count; }

  /// The least compute capability of a GPU, 10 * major + minor.
  static constexpr int minimum_compute_capability = 80;

  /// Copies the metadata to `state`, state_bytes() bytes, aligned to 256, for all executions with it. May
  /// wait for the stream. Throws cuda::CudaError.
  void prepare(std::uint8_t* state, stage::Stream stream) const;

  /// Enqueues the decoding on `stream`: allocates nothing, waits for nothing. Nothing is written outside of
  /// the memory, whatever streams say. Throws cuda::CudaError.
  void enqueue(const OrcArrayMemory& memory, stage::Stream stream) const;

private:
  // Where the tables are in `state`.
  OrcArrayJob job_with_tables(const std::uint8_t* state) const;

  OrcArrayKernels kernels_;
  // Without pointers.
  OrcArrayJob job_ = {};
  std::uint64_t input_bytes_ = 0;
  std::vector<std::uint8_t> tables_;
};

/// What a row group's word says, other than 0.
std::string describe_row_group_word(std::uint32_t word);

}  // namespace gsst::codag::orc
