#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/format/tile_integer/tile_integer.hpp"
#include "common/stage/kernels_on.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/plans_of_stage.hpp"
#include "common/stage/registry.hpp"
#include "stages/tile_integer/09_queries/questions.hpp"
// After launch.hpp, which gives the kernels CUDA's words where the compiler has none.
#include "stages/tile_integer/09_queries/kernel_flight_1.cuh"
#include "stages/tile_integer/09_queries/kernel_flight_2.cuh"
#include "stages/tile_integer/09_queries/kernel_flight_3.cuh"
#include "stages/tile_integer/09_queries/kernel_flight_4.cuh"
#include "stages/tile_integer/09_queries/tables.cuh"
#include "stages/tile_integer/shared/host_ssb.cuh"

namespace gsst::tile_integer {
namespace {

using format::tile_integer::for_format;
using format::tile_integer::rfor_format;
using stage::FrameOnDevice;

constexpr std::array formats_of_columns = {for_format, rfor_format};

const stage::Description description = {
    .id = "tile_integer/09_queries",
    .base = "tile_integer/06_runs",
    .title = "Queries read compressed columns: the 13 of the Star Schema Benchmark",
    .section = "tile-based paper, 7 and 9.4",
    .format = for_format,
    .operation = stage::Operation::query,
    .minimum_compute_capability = 80,
    .parameters = {
        {.name = "skip",
         .description = "1: of plain columns, what no row wants any more is not read; 0: all is read",
         .values = {0, 1},
         .default_value = 1,
         .compile_time = true}}};

// Of a flight, in their order.
const QueryKernels& kernels_of(std::uint32_t flight) {
  static const std::array kernels = {&kernels_1, &kernels_2, &kernels_3, &kernels_4};
  return *kernels.at(flight - 1);
}

class TilePlan : public SsbPlan {
public:
  explicit TilePlan(const stage::QuerySubject& subject)
      : SsbPlan(description, subject, formats_of_columns, false) {
    const bool skips = stage::parameter_value(description, subject.parameters, "skip") != 0;
    bool all_plain = true;
    bool all_for = true;
    bool are_smallest = true;
    for (std::size_t column = 0; column < query().columns.size(); ++column) {
      const FrameOnDevice& frame = columns()[column];
      all_plain = all_plain && frame.payload_traits == 0;
      all_for = all_for && frame.format == for_format;
      are_smallest =
          are_smallest && frame.format == (has_runs(query().columns[column]) ? rfor_format : for_format);
    }
    const QueryKernels& kernels = kernels_of(query().flight);
    if (all_plain) {
      kernel_ = skips ? kernels.plain : kernels.whole;
      shared_bytes_ = least_shared_bytes;
    } else if (!skips) {
      refuse("with skip 0, all columns of the fact table are plain");
    } else if (all_for) {
      kernel_ = kernels.packed;
      shared_bytes_ = shared_bytes_of_loads<std::uint32_t, LoadBitPack>;
    } else if (are_smallest) {
      kernel_ = kernels.smallest;
      shared_bytes_ = shared_bytes_of_loads<std::uint32_t, LoadBitPack, LoadRBitPack>;
    } else {
      refuse("columns are of format for, but lo_orderdate and lo_custkey both of format rfor, or all plain");
    }
  }

private:
  void build(std::span<const TableRequest> requests, stage::Stream stream) const override {
    for (const TableRequest& request : requests) {
      stage::launch({.thread_blocks = tiles_of(request.columns[0], sizeof(std::uint32_t)),
                     .threads_per_block = threads_of_tile,
                     .shared_bytes = shared_bytes_of_loads<std::uint32_t, LoadBitPack>,
                     .stream = stream},
                    build_table, request);
    }
  }

  void ask(const QueryOnDevice& query, stage::Stream stream) const override {
    stage::launch({.thread_blocks = tiles_of(query.columns[0], sizeof(std::uint32_t)),
                   .threads_per_block = threads_of_tile,
                   .shared_bytes = shared_bytes_,
                   .stream = stream},
                  kernel_, query);
  }

  QueryKernel kernel_ = nullptr;
  std::size_t shared_bytes_ = 0;
};

std::vector<std::string> names_of_queries() {
  std::vector<std::string> names;
  for (const SsbQuery& query : all_queries()) names.emplace_back(query.name);
  return names;
}

std::vector<std::string> columns_of_query(std::string_view question) {
  const SsbQuery query = find_query(description.id, question);
  std::vector<std::string> columns(query.columns.begin(), query.columns.end());
  for (const JoinedTable& table : query.tables) {
    for (std::string& column : columns_of(table)) columns.push_back(std::move(column));
  }
  return columns;
}

std::uint32_t groups_of_query(std::string_view question) {
  return find_query(description.id, question).groups;
}

const stage::KernelsOn<Questions> questions(stage::this_executor, {.names = names_of_queries,
                                                                   .columns = columns_of_query,
                                                                   .groups = groups_of_query});

const stage::Registration registration(
    stage::this_executor, description,
    stage::QueryPlans{
        .reads =
            [](format::BlockFormat format) {
              return std::ranges::find(formats_of_columns, format) != formats_of_columns.end();
            },
        .make = [](const stage::QuerySubject& subject) { return std::make_unique<TilePlan>(subject); }});

}  // namespace
}  // namespace gsst::tile_integer
