#pragma once

#include <cstdint>
#include <memory>

#include "common/format/tile_integer/parquet_column.hpp"
#include "common/stage/kernels_on.hpp"
#include "common/stage/plan.hpp"

/// What this stage is to its callers. It is registered for no operation, since the registry's plans are for
/// frames and a Parquet file is none: who has a column gets its plan here.
namespace gsst::tile_integer {

/// Makes the plan that decodes `column` of a file of `file_bytes` bytes, all of whose pages
/// format::tile_integer::append_page() has accepted; later changes of the file's bytes are not noticed.
/// Parts, in this order:
///   file     input    file_bytes bytes, at any address
///   values   output   of those that are not null, one after the other, aligned to value_bytes_of() bytes
///   levels   output   a byte for each row, 1 where it has a value; no bytes for a column without nulls
///   streams  state    the column's streams, which prepare() copies there
///   scratch  scratch
///   status   status   a ParquetStatus for each stream
/// Problem::item is the number of the page. A plan for no streams enqueues nothing.
using MakeParquetPlan = std::unique_ptr<stage::Plan> (*)(const format::tile_integer::ParquetColumn& column,
                                                         std::uint64_t file_bytes);

/// What stage.cu registers for each executor that it is compiled for.
struct ParquetDecoding {
  MakeParquetPlan make_plan;
};

/// The stage's code on an executor.
using ParquetDecodingOn = stage::KernelsOn<ParquetDecoding>;

}  // namespace gsst::tile_integer
