#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "common/format/tile_integer/tile_integer.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/plans_of_stage.hpp"
#include "common/stage/registry.hpp"
// After launch.hpp, which gives the kernels CUDA's words where the compiler has none.
#include "stages/tile_integer/10_wide_queries/build_tables.cuh"
#include "stages/tile_integer/10_wide_queries/kernel_filters.cuh"
#include "stages/tile_integer/10_wide_queries/kernel_filters_of_runs.cuh"
#include "stages/tile_integer/10_wide_queries/kernel_joins.cuh"
#include "stages/tile_integer/10_wide_queries/kernel_joins_of_runs.cuh"
#include "stages/tile_integer/10_wide_queries/kernel_plain.cuh"
#include "stages/tile_integer/shared/host_ssb.cuh"
#include "stages/tile_integer/shared/host_warp_tiles.cuh"

namespace gsst::tile_integer {
namespace {

using format::tile_integer::for_format;
using format::tile_integer::rfor_format;
using stage::FrameOnDevice;

constexpr std::array formats_of_wide_columns = {for_format, rfor_format};

const stage::Description description = {
    .id = "tile_integer/10_wide_queries",
    .base = "tile_integer/09_queries",
    .title = "Past the paper: queries compare packed values, a warp a tile",
    .section = "past the tile-based paper, 7 and 9.4",
    .format = for_format,
    .operation = stage::Operation::query,
    .minimum_compute_capability = 80,
    .parameters = {
        {.name = "threads",
         .description = "threads of a thread block, 32 for each warp; fewer where there is no room for tiles",
         .values = {64, 128, 256},
         .default_value = 128,
         .compile_time = false},
        {.name = "skip",
         .description = "1: of plain columns, what no row wants any more is not read; 0: all is read",
         .values = {0, 1},
         .default_value = 1,
         .compile_time = true},
        {.name = "skip_tiles",
         .description = "1: a tile is left out of which references and widths show that no row passes a "
                        "filter of flight 1; 0: all are compared",
         .values = {0, 1},
         .default_value = 0,
         .compile_time = false}}};

// The kernels of a flight.
struct WideKernels {
  void (*for_aligned)(QueryOnDevice, WideShape);
  void (*for_any)(QueryOnDevice);
  // Columns whose words are copied: a bit for each, and how many they are with those between them.
  std::uint32_t copied_columns;
  std::uint32_t copied;
  // Columns of format `rfor`, a bit for each.
  std::uint32_t run_columns;
  // Of shared memory, for a warp.
  std::uint32_t (*warp_bytes)(std::uint32_t slot_bytes);
};

template <typename Flight>
constexpr WideKernels wide_kernels = {.for_aligned = wide_query<Flight>,
                                      .for_any = wide_query_by_rows<Flight>,
                                      .copied_columns = Flight::copied_columns,
                                      .copied = Flight::copied,
                                      .run_columns = Flight::run_columns,
                                      .warp_bytes = bytes_of_wide_warp<Flight>};

// For columns of format `for`.
const WideKernels& kernels_of(std::uint32_t flight) {
  static const std::array kernels = {wide_kernels<FilterFlight>, wide_kernels<JoinFlight<3, false>>,
                                     wide_kernels<JoinFlight<3, false>>, wide_kernels<JoinFlight<4, true>>};
  return kernels.at(flight - 1);
}

// Where columns that have runs are of format `rfor`.
const WideKernels& kernels_of_runs(std::uint32_t flight) {
  static const std::array kernels = {
      wide_kernels<FilterFlightOfRuns>, wide_kernels<JoinFlightOfRuns<3, false, 0b0100>>,
      wide_kernels<JoinFlightOfRuns<3, false, 0b0110>>, wide_kernels<JoinFlightOfRuns<4, true, 0b1010>>};
  return kernels.at(flight - 1);
}

using PlainKernel = void (*)(QueryOnDevice, std::uint32_t);

// For plain columns.
template <bool Skips>
PlainKernel plain_kernel_of(std::uint32_t flight) {
  static constexpr std::array kernels = {
      plain_query<PlainFilterFlight, Skips>, plain_query<PlainJoinFlight<3, false>, Skips>,
      plain_query<PlainJoinFlight<3, false>, Skips>, plain_query<PlainJoinFlight<4, true>, Skips>};
  return kernels.at(flight - 1);
}

// A bit for each column of the query that has runs.
std::uint32_t columns_with_runs(const SsbQuery& query) {
  std::uint32_t columns = 0;
  for (std::size_t column = 0; column < query.columns.size(); ++column) {
    if (has_runs(query.columns[column])) columns |= 1U << column;
  }
  return columns;
}

// Room for a column's words of a tile: a quarter more than the frame's tiles have on average. A tile that
// needs more is rare, and its rows are read from global memory; room for the largest one would leave a
// multiprocessor few warps. The first word may be the last one of the first piece.
std::uint32_t room_for(const FrameOnDevice& frame) {
  using format::tile_integer::word_bytes;
  constexpr std::uint32_t uncompressed = wide_rows * sizeof(std::uint32_t);
  const std::uint32_t most =
      frame.format == rfor_format
          ? wide_run_blocks * static_cast<std::uint32_t>(sizeof(std::uint32_t)) *
                format::tile_integer::max_run_block_words(
                    format::tile_integer::shape_of(format::tile_integer::Type::u32))
          : uncompressed + 2 * wide_blocks * static_cast<std::uint32_t>(sizeof(std::uint32_t));
  const std::uint64_t average =
      frame.uncompressed_bytes == 0 ? 0 : frame.frame_bytes * uncompressed / frame.uncompressed_bytes;
  const auto wanted = static_cast<std::uint32_t>(std::min<std::uint64_t>(average + average / 4, most));
  return whole_pieces(whole_pieces(wanted + piece_bytes - word_bytes) + bytes_after_column);
}

class WidePlan : public SsbPlan {
public:
  explicit WidePlan(const stage::QuerySubject& subject)
      : SsbPlan(description, subject, formats_of_wide_columns, true), kernels_(kernels_of_columns()) {
    const bool skips = stage::parameter_value(description, subject.parameters, "skip") != 0;
    if (!are_plain() && !skips) refuse("with skip 0, all columns of the fact table are plain");
    shape_.skips_tiles = stage::parameter_value(description, subject.parameters, "skip_tiles") != 0;
    for (std::uint32_t column = 0; column < kernels_.copied; ++column) {
      const bool is_copied = (kernels_.copied_columns >> column & 1) != 0;
      shape_.offsets[column + 1] = shape_.offsets[column] + (is_copied ? room_for(columns()[column]) : 0);
    }
    // Bits of more keys would leave a multiprocessor fewer warps.
    constexpr std::uint64_t most_bytes_of_bits = 8192;
    const std::uint32_t keys = keys_of_first_table();
    const std::uint64_t bits_bytes = keys == 0 ? 0 : bytes_of_bits(keys + 1);
    if (bits_bytes <= most_bytes_of_bits) {
      shape_.bits_bytes = whole_pieces(static_cast<std::uint32_t>(bits_bytes));
    }
    threads_ = static_cast<std::uint32_t>(stage::parameter_value(description, subject.parameters, "threads"));
    while (threads_ > lanes_of_warp && shared_bytes() > stage::max_shared_bytes()) threads_ /= 2;
    check_shared_bytes(description, shared_bytes());
    if (columns()[0].block_count == 0) return;
    const std::uint64_t warps = threads_ / lanes_of_warp;
    const std::uint64_t tiles =
        columns()[0].uncompressed_bytes / (wide_rows * sizeof(std::uint32_t)) + columns()[0].block_count;
    const auto resident = [&](std::size_t bytes, auto kernel) {
      const std::uint64_t most = stage::resident_thread_blocks(threads_, bytes, kernel);
      return static_cast<unsigned>(std::min(most, (tiles + warps - 1) / warps));
    };
    aligned_thread_blocks_ = resident(shared_bytes(), kernels_.for_aligned);
    any_thread_blocks_ = resident(bytes_of_wide_sums, kernels_.for_any);
    if (are_plain()) plan_plain(skips);
  }

private:
  const WideKernels& kernels_of_columns() const {
    std::uint32_t of_runs = 0;
    for (std::size_t column = 0; column < query().columns.size(); ++column) {
      if (columns()[column].format == rfor_format) of_runs |= 1U << column;
    }
    if (of_runs == 0) return kernels_of(query().flight);
    if (of_runs != columns_with_runs(query())) {
      refuse("columns are of format for, but lo_orderdate and lo_custkey may both be of format rfor");
    }
    return kernels_of_runs(query().flight);
  }

  bool are_plain() const {
    return std::ranges::all_of(columns(),
                               [](const FrameOnDevice& frame) { return frame.payload_traits == 0; });
  }

  void plan_plain(bool skips) {
    plain_ = skips ? plain_kernel_of<true>(query().flight) : plain_kernel_of<false>(query().flight);
    const std::uint64_t piece_bytes_of_column =
        std::uint64_t{threads_} * rows_of_thread * sizeof(std::uint32_t);
    const std::uint64_t pieces =
        columns()[0].uncompressed_bytes / piece_bytes_of_column + columns()[0].block_count;
    plain_thread_blocks_ = static_cast<unsigned>(std::min<std::uint64_t>(
        stage::resident_thread_blocks(threads_, plain_shared_bytes(), plain_), pieces));
  }

  std::size_t plain_shared_bytes() const { return bytes_of_wide_sums + shape_.bits_bytes; }

  std::size_t shared_bytes() const {
    return bytes_of_wide_sums + shape_.bits_bytes +
           std::size_t{threads_ / lanes_of_warp} * kernels_.warp_bytes(shape_.slot_bytes(kernels_.copied));
  }

  void build(std::span<const TableRequest> requests, stage::Stream stream) const override {
    constexpr unsigned threads = 256;
    WideTableRequests all = {.tables = {}, .count = static_cast<std::uint32_t>(requests.size())};
    std::ranges::copy(requests, all.tables.begin());
    std::uint64_t most_rows = 0;
    for (const TableRequest& request : requests) {
      most_rows = std::max(most_rows, request.columns[0].uncompressed_bytes / sizeof(std::uint32_t));
    }
    // Each thread block has a tile at a time for each warp.
    constexpr std::uint64_t most_thread_blocks = 256;
    constexpr std::uint64_t rows = threads / lanes_of_warp * wide_rows;
    const std::uint64_t thread_blocks = std::min(most_thread_blocks, (most_rows + rows - 1) / rows + 1);
    stage::launch({.thread_blocks = static_cast<unsigned>(thread_blocks * requests.size()),
                   .threads_per_block = threads,
                   .shared_bytes = 0,
                   .stream = stream},
                  build_wide_tables, all);
  }

  void ask(const QueryOnDevice& query, stage::Stream stream) const override {
    const bool are_aligned =
        std::all_of(query.columns.begin(), query.columns.begin() + query.column_count, is_aligned);
    if (are_aligned && plain_ != nullptr) {
      stage::launch({.thread_blocks = plain_thread_blocks_,
                     .threads_per_block = threads_,
                     .shared_bytes = plain_shared_bytes(),
                     .stream = stream},
                    plain_, query, shape_.bits_bytes);
    } else if (are_aligned) {
      stage::launch({.thread_blocks = aligned_thread_blocks_,
                     .threads_per_block = threads_,
                     .shared_bytes = shared_bytes(),
                     .stream = stream},
                    kernels_.for_aligned, query, shape_);
    } else {
      stage::launch({.thread_blocks = any_thread_blocks_,
                     .threads_per_block = threads_,
                     .shared_bytes = bytes_of_wide_sums,
                     .stream = stream},
                    kernels_.for_any, query);
    }
  }

  const WideKernels& kernels_;
  WideShape shape_{};
  std::uint32_t threads_ = 0;
  unsigned aligned_thread_blocks_ = 0;
  unsigned any_thread_blocks_ = 0;
  // Null where a column is compressed.
  PlainKernel plain_ = nullptr;
  unsigned plain_thread_blocks_ = 0;
};

const stage::Registration registration(
    stage::this_executor, description,
    stage::QueryPlans{
        .reads =
            [](format::BlockFormat format) {
              return std::ranges::find(formats_of_wide_columns, format) != formats_of_wide_columns.end();
            },
        .make = [](const stage::QuerySubject& subject) { return std::make_unique<WidePlan>(subject); }});

}  // namespace
}  // namespace gsst::tile_integer
