#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>

#include "common/format/tile_integer/layouts.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/plans_of_stage.hpp"
#include "common/stage/registry.hpp"
// After launch.hpp, which gives the kernels CUDA's words where the compiler has none.
#include "stages/tile_integer/09_vertical_query/kernel.cuh"
#include "stages/tile_integer/shared/host_ssb.cuh"

namespace gsst::tile_integer::vertical {
namespace {

constexpr std::array formats_of_vertical_columns = {format::tile_integer::vfor_format};
constexpr std::int64_t values_of_paper = vertical_lane_values;
constexpr std::int64_t values_of_others = 4;

const stage::Description description = {
    .id = "tile_integer/09_vertical_query",
    .base = "tile_integer/08_vertical",
    .title = "Flight 1 of the queries on the vertical layout, which the paper rejects",
    .section = "tile-based paper, 4.3",
    .format = format::tile_integer::vfor_format,
    .operation = stage::Operation::query,
    .minimum_compute_capability = 80,
    .parameters = {
        {.name = "values",
         .description = "values that a thread has of a column at once: 32, all of its lane, as the "
                        "paper has it, or 4, as the queries on other layouts",
         .values = {values_of_others, values_of_paper},
         .default_value = values_of_others,
         .compile_time = true},
        {.name = "staged",
         .description = "1: words are brought to shared memory first; 0: each thread reads its own",
         .values = {0, 1},
         .default_value = 0,
         .compile_time = true}}};

struct VerticalQuery {
  void (*kernel)(QueryOnDevice);
  std::size_t shared_bytes;
  // Of a tile.
  std::uint32_t rows;
};

template <std::uint32_t Values, bool IsStaged>
constexpr VerticalQuery query_of = {
    .kernel = vertical_query_1<LoadVertical<Values, IsStaged>>,
    .shared_bytes = std::max(bytes_of_sum, LoadVertical<Values, IsStaged>::shared_bytes),
    .rows = VerticalTile<Values>::tile_values};

VerticalQuery query_with(std::int64_t values, bool is_staged) {
  if (values == values_of_paper) {
    return is_staged ? query_of<values_of_paper, true> : query_of<values_of_paper, false>;
  }
  return is_staged ? query_of<values_of_others, true> : query_of<values_of_others, false>;
}

class VerticalPlan : public SsbPlan {
public:
  explicit VerticalPlan(const stage::QuerySubject& subject)
      : SsbPlan(description, subject, formats_of_vertical_columns, false),
        query_(query_with(stage::parameter_value(description, subject.parameters, "values"),
                          stage::parameter_value(description, subject.parameters, "staged") != 0)) {
    if (query().flight != 1) refuse("it answers the queries of flight 1 alone");
  }

private:
  void build(std::span<const TableRequest> /*requests*/, stage::Stream /*stream*/) const override {
    throw std::logic_error("flight 1 joins no table");
  }

  void ask(const QueryOnDevice& query, stage::Stream stream) const override {
    const stage::FrameOnDevice& column = query.columns[0];
    // Some tiles have no rows.
    const std::uint64_t tiles =
        column.uncompressed_bytes / (query_.rows * sizeof(std::uint32_t)) + column.block_count;
    stage::launch({.thread_blocks = static_cast<unsigned>(tiles),
                   .threads_per_block = vertical_lanes,
                   .shared_bytes = query_.shared_bytes,
                   .stream = stream},
                  query_.kernel, query);
  }

  VerticalQuery query_;
};

const stage::Registration registration(
    stage::this_executor, description,
    stage::QueryPlans{
        .reads = [](format::BlockFormat format) { return format == format::tile_integer::vfor_format; },
        .make = [](const stage::QuerySubject& subject) { return std::make_unique<VerticalPlan>(subject); }});

}  // namespace
}  // namespace gsst::tile_integer::vertical
