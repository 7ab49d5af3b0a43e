#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "common/stage/kernels_on.hpp"
#include "common/stage/plan.hpp"
#include "stages/codag/orc/orc_column.hpp"

/// Stripes of a column as kernels decode them. Offsets and numbers count from the batch's first.
namespace gsst::codag::orc {

/// Where a stripe has no stream.
inline constexpr std::uint32_t no_stream = 0xffffffff;

/// In the place of a problem of a format of run lengths: where a row group begins or ends in a stream is not
/// what the row index and the numbers of rows and nulls say.
inline constexpr std::uint32_t wrong_position = 0xff;

/// Neighbours in an array.
struct BatchList {
  std::uint32_t first;
  std::uint32_t count;
};

/// A chunk of a compressed stream; one that is not compressed is a chunk as a whole.
struct BatchChunk {
  /// Of the batch's stored bytes, after the header.
  std::uint64_t input;
  /// Of the memory for chunks: room for as many bytes as it may hold.
  std::uint64_t output;
  std::uint32_t input_bytes;
  std::uint32_t room;
  std::uint32_t stream;
  std::uint32_t is_stored;
};

struct BatchStream {
  /// Of the bytes without compression.
  std::uint64_t begin;
  BatchList chunks;
};

/// As OrcPosition.
struct BatchPosition {
  /// Counts from the stream's first.
  std::uint32_t chunk;
  std::uint32_t byte;
  std::uint32_t values;
  std::uint32_t bits;
};

struct BatchGroup {
  std::uint32_t stripe;
  /// Counts from the stripe's first.
  std::uint32_t first_row;
  std::uint32_t rows;
  BatchPosition present;
  BatchPosition data;
};

struct BatchStripe {
  /// Of the batch.
  std::uint64_t first_row;
  /// In the memory for what is present, and in that for values, in bytes.
  std::uint64_t present_offset;
  std::uint64_t value_offset;
  std::uint32_t rows;
  /// Streams, or no_stream.
  std::uint32_t present;
  std::uint32_t data;
  BatchList groups;
  /// Values that it may have.
  std::int64_t least;
  std::int64_t most;
};

/// What is decoded at once, in host memory.
struct OrcBatch {
  OrcValues values;
  OrcCoding coding;
  OrcCompression compression;
  /// Written for nulls.
  std::int64_t null_value;
  /// The stored bytes: these spans one after the other.
  std::vector<std::span<const std::uint8_t>> stored;
  std::uint64_t stored_bytes;
  std::vector<BatchChunk> chunks;
  /// Bytes of all chunks' rooms.
  std::uint64_t room_bytes;
  std::vector<BatchStream> streams;
  std::vector<BatchStripe> stripes;
  std::vector<BatchGroup> groups;
  std::uint64_t present_bytes;
  std::uint64_t value_bytes;
  std::uint64_t rows;
};

/// What became of a batch, in host memory. A status is 0 where nothing is wrong.
struct OrcBatchResult {
  /// The rows' values, little-endian; to be used if all is well.
  std::vector<std::uint8_t> output;
  /// Of each chunk that is compressed: not 0 if it is no Deflate stream that fits.
  std::vector<std::uint32_t> chunk_status;
  /// Of each row group: a word of format::codag::status_of(), whose problem may be wrong_position.
  std::vector<std::uint32_t> present_status;
  std::vector<std::uint32_t> data_status;
  /// Of each row group: 1 more than the number in its stripe of a value which that must not have; and the
  /// value.
  std::vector<std::uint32_t> value_status;
  std::vector<std::int64_t> wrong_values;
  /// Of each stripe: rows that are not null.
  std::vector<std::uint32_t> value_counts;
};

/// A batch in the executor's memory, with all memory that its kernels need.
class LoadedOrcBatch {
public:
  LoadedOrcBatch() = default;
  virtual ~LoadedOrcBatch() = default;
  LoadedOrcBatch(const LoadedOrcBatch&) = delete;
  LoadedOrcBatch& operator=(const LoadedOrcBatch&) = delete;

  /// Enqueues all kernels, one after the other; allocates nothing and waits for nothing, and may be captured.
  /// May be called again and again: what becomes of a batch depends on nothing else. Throws cuda::CudaError.
  virtual void enqueue(stage::Stream stream) = 0;

  /// Copies back what became of the batch in the work that was enqueued last, which must have ended or be on
  /// the default stream. Throws cuda::CudaError.
  virtual OrcBatchResult result() const = 0;

  /// The same of the statuses alone: without the output.
  virtual OrcBatchResult statuses() const = 0;

  /// The rows' values, little-endian, in the executor's memory.
  virtual std::span<std::uint8_t> output() = 0;

  /// The batch's stored bytes in the executor's memory.
  virtual std::span<const std::uint8_t> stored() const = 0;
};

/// The kernels, for each executor.
struct OrcKernels {
  /// Copies a batch to the executor. Positions and streams may say anything. `batch` is not needed
  /// afterwards. Throws cuda::CudaError.
  std::unique_ptr<LoadedOrcBatch> (*load)(const OrcBatch& batch);
};

using OrcKernelsOn = stage::KernelsOn<OrcKernels>;

}  // namespace gsst::codag::orc
