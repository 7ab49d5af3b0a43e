#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "common/columns/column_files.hpp"
#include "common/format/stream.hpp"
#include "common/stage/plan.hpp"
#include "common/stage/stage.hpp"
#include "stages/codag/orc/orc_column.hpp"

/// Columns of ORC files, decoded by kernels: a row group is a warp's, also of compressed streams, between
/// whose kernels the host does nothing.
namespace gsst::codag::orc {

/// What is decoded at once.
struct OrcBatchLimits {
  /// Bytes of the executor's memory, before which memory is taken for no further stripe.
  std::uint64_t batch_bytes = std::uint64_t{256} << 20;
  /// Bytes of the executor's memory that a stripe alone may need.
  std::uint64_t memory_bytes = std::uint64_t{2} << 30;
  /// Chunks, and row groups: a warp has each, and threads are counted with 32 bits. At least 2, and at most
  /// as many as here.
  std::uint64_t parts = std::uint64_t{1} << 26;
};

/// As decode_orc_column(), on `executor`, simt or gpu. Nothing is written of a batch with an error. OrcError
/// names the row group too. Throws std::invalid_argument, which names --memory, for a stripe that needs more
/// memory than `limits` has, and cuda::CudaError as well.
columns::ColumnTotals decode_orc_column_on(stage::Executor executor, std::span<const std::uint8_t> file,
                                           const OrcColumn& column, std::optional<std::int64_t> null_value,
                                           const format::WriteFunction& write,
                                           const OrcBatchLimits& limits = {});

class LoadedOrcBatch;

/// A column without nulls as one batch in the executor's memory, for those who decode it there.
class OrcColumnInMemory {
public:
  /// Copies the column's streams to `executor`, simt or gpu. `file` is the whole file, in host memory, which
  /// `column` was read from; both are needed as long as this is. Throws OrcError where the metadata is wrong,
  /// std::invalid_argument for a column that no batch of `limits` holds whole, and cuda::CudaError.
  OrcColumnInMemory(stage::Executor executor, std::span<const std::uint8_t> file, const OrcColumn& column,
                    const OrcBatchLimits& limits);
  ~OrcColumnInMemory();
  OrcColumnInMemory(const OrcColumnInMemory&) = delete;
  OrcColumnInMemory& operator=(const OrcColumnInMemory&) = delete;

  /// Enqueues the decoding of all rows; allocates nothing, waits for nothing, and may be captured. Throws
  /// cuda::CudaError.
  void enqueue(stage::Stream stream);

  /// Waits for what was enqueued last, on the default stream or on one that has ended. Throws what
  /// decode_orc_column_on() throws for damaged streams and for nulls.
  void check() const;

  /// The values, little-endian, in the executor's memory.
  std::span<std::uint8_t> output();

  /// The column's streams, as the file has them, in the executor's memory.
  std::span<const std::uint8_t> stored() const;

  /// What is decoded by a warp each.
  std::uint64_t row_groups() const { return row_groups_; }

private:
  std::unique_ptr<LoadedOrcBatch> loaded_;
  std::function<void(const LoadedOrcBatch&)> check_statuses_;
  std::uint64_t row_groups_ = 0;
};

}  // namespace gsst::codag::orc
