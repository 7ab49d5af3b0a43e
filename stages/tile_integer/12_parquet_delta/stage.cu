#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/format/tile_integer/parquet_column.hpp"
#include "common/stage/copies.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/plan.hpp"
#include "stages/tile_integer/12_parquet_delta/parquet_plan.hpp"
// After launch.hpp, which gives the kernel CUDA's words where the compiler has none.
#include "stages/tile_integer/12_parquet_delta/kernel.cuh"

namespace gsst::tile_integer {
namespace {

using format::tile_integer::ParquetColumn;

class ParquetPlan final : public stage::Plan {
public:
  ParquetPlan(const ParquetColumn& column, std::uint64_t file_bytes)
      : column_(column), value_bytes_(value_bytes_of(column.values)) {
    const std::uint64_t streams = column.streams.size();
    parts_ = {{{.name = "file", .role = stage::Role::input, .bytes = file_bytes, .alignment = 1},
               {.name = "values",
                .role = stage::Role::output,
                .bytes = column.value_count * value_bytes_,
                .alignment = value_bytes_},
               {.name = "levels",
                .role = stage::Role::output,
                .bytes = column.is_nullable ? column.rows : 0,
                .alignment = 1},
               {.name = "streams",
                .role = stage::Role::state,
                .bytes = streams * sizeof(ParquetStream),
                .alignment = alignof(ParquetStream)},
               {.name = "scratch",
                .role = stage::Role::scratch,
                .bytes = column.pieces * (sizeof(ParquetPiece) + sizeof(std::uint64_t)) +
                         streams * sizeof(std::uint32_t),
                .alignment = alignof(std::uint64_t)},
               {.name = "status",
                .role = stage::Role::status,
                .bytes = streams * sizeof(std::uint32_t),
                .alignment = alignof(std::uint32_t)}}};
  }

  std::span<const stage::Part> parts() const override { return parts_; }

  void prepare(std::span<const stage::Given> given, stage::Stream stream) const override {
    stage::copy_to_executor(static_cast<ParquetStream*>(given[3].data), std::span(column_.streams), stream);
  }

  std::span<const stage::Phase> phases() const override {
    static constexpr std::array phases = {
        stage::Phase{.name = "finding pieces"}, stage::Phase{.name = "sums of blocks"},
        stage::Phase{.name = "sums of pages"}, stage::Phase{.name = "decoding"}};
    return phases;
  }

  void enqueue(std::span<const stage::Given> given, stage::Stream stream, std::size_t phase) const override {
    const auto streams = static_cast<unsigned>(column_.streams.size());
    const auto pieces = static_cast<unsigned>(column_.pieces);
    const ParquetOnDevice column = on_device(given);
    // A grid of no blocks is an error in CUDA.
    if (streams == 0 || (pieces == 0 && phase != 0)) return;
    switch (phase) {
      case 0:
        stage::launch({.thread_blocks = (streams + streams_of_thread_block - 1) / streams_of_thread_block,
                       .threads_per_block = streams_of_thread_block,
                       .shared_bytes = 0,
                       .stream = stream},
                      find_pieces, column);
        return;
      case 1:
        stage::launch({pieces, parquet_threads, sum_shared_bytes, stream}, sum_blocks, column);
        return;
      case 2:
        stage::launch({streams, parquet_threads, sum_shared_bytes, stream}, scan_sums, column);
        return;
      default:
        static_assert(sizeof(TileRuns) >= sum_shared_bytes);
        stage::launch({pieces, parquet_threads, sizeof(TileRuns), stream}, decode_pieces, column);
    }
  }

  stage::Outcome check(std::span<const std::byte> status, std::span<const std::byte> /*result*/,
                       std::uint64_t first) const override {
    for (std::size_t i = 0; i < column_.streams.size(); ++i) {
      std::uint32_t word = 0;
      std::memcpy(&word, status.data() + i * sizeof word, sizeof word);
      if (word == 0) continue;
      const auto problem = parquet_error(column_, i, static_cast<ParquetStatus>(word));
      return {.problem = stage::Problem{.item = first + column_.pages[i],
                                        .field = problem.field(),
                                        .description = problem.problem()}};
    }
    return {.count = column_.value_count * value_bytes_, .is_complete = true};
  }

private:
  ParquetOnDevice on_device(std::span<const stage::Given> given) const {
    auto* const pieces = static_cast<ParquetPiece*>(given[4].data);
    auto* const sums = reinterpret_cast<std::uint64_t*>(pieces + column_.pieces);
    return {.file = static_cast<const std::uint8_t*>(given[0].data),
            .streams = static_cast<const ParquetStream*>(given[3].data),
            .stream_count = static_cast<std::uint32_t>(column_.streams.size()),
            .value_bytes = value_bytes_,
            .pieces = pieces,
            .sums = sums,
            .found = reinterpret_cast<std::uint32_t*>(sums + column_.pieces),
            .values = static_cast<std::uint8_t*>(given[1].data),
            .levels = static_cast<std::uint8_t*>(given[2].data),
            .status = static_cast<std::uint32_t*>(given[5].data)};
  }

  ParquetColumn column_;
  std::uint32_t value_bytes_;
  std::array<stage::Part, 6> parts_;
};

std::unique_ptr<stage::Plan> make_plan(const ParquetColumn& column, std::uint64_t file_bytes) {
  return std::make_unique<ParquetPlan>(column, file_bytes);
}

const ParquetDecodingOn registration(stage::this_executor, {.make_plan = make_plan});

}  // namespace
}  // namespace gsst::tile_integer
