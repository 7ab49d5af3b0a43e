#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "common/format/tile_integer/tile_integer.hpp"
#include "common/stage/block_statuses.hpp"
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

namespace gsst::tile_integer {
namespace {

using format::tile_integer::for_format;
using format::tile_integer::rfor_format;
using format::tile_integer::trait_of;
using format::tile_integer::Type;
using stage::FrameOnDevice;
using stage::Role;

constexpr std::uint32_t value_bytes = sizeof(std::uint32_t);

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

std::vector<Query> all_queries() {
  std::vector<Query> queries(flight_1.begin(), flight_1.end());
  queries.insert(queries.end(), flight_2.begin(), flight_2.end());
  queries.insert(queries.end(), flight_3.begin(), flight_3.end());
  queries.insert(queries.end(), flight_4.begin(), flight_4.end());
  return queries;
}

Query find_query(std::string_view name) {
  std::string known;
  for (const Query& query : all_queries()) {
    if (query.name == name) return query;
    known += known.empty() ? "" : ", ";
    known += query.name;
  }
  throw std::invalid_argument("stage " + description.id + ": there is no query '" + std::string(name) +
                              "', only " + known);
}

[[noreturn]] void refuse(const std::string& why) {
  throw std::invalid_argument("stage " + description.id + ": " + why);
}

bool is_plain(const FrameOnDevice& frame) {
  return frame.payload_traits == 0;
}

bool reads(format::BlockFormat format) {
  return format == for_format || format == rfor_format;
}

// The columns of a table of `query` in the subject.
std::vector<std::string> columns_of(const JoinedTable& table) {
  std::vector<std::string> columns = {std::string(table.key), std::string(table.filter_column)};
  if (!table.group_column.empty()) columns.emplace_back(table.group_column);
  return columns;
}

// Rows of columns whose values have to be next to each other.
void check_columns(std::span<const FrameOnDevice> frames) {
  constexpr std::uint32_t allowed = trait_of(Type::i32) | trait_of(Type::u32);
  for (const FrameOnDevice& frame : frames) {
    if (!reads(frame.format)) refuse("columns are frames of the formats for and rfor");
    if ((frame.payload_traits & format::tile_integer::all_traits & ~allowed) != 0)
      refuse("columns have values of the types i32 and u32");
    if (frame.uncompressed_bytes % value_bytes != 0) refuse("a column ends within a value");
    if (frame.uncompressed_bytes != frames[0].uncompressed_bytes ||
        frame.block_count != frames[0].block_count) {
      refuse("columns of a table differ in their numbers of values or of blocks");
    }
  }
}

// A table of a plan. Its frames are those from number `first_frame` on.
struct PlannedTable {
  JoinedTable table;
  std::size_t first_frame;
  std::size_t frame_count;
  std::uint32_t size;
  // In scratch memory.
  std::uint64_t offset;
  // Of its first status word.
  std::uint64_t first_status;
};

class SsbPlan : public stage::Plan {
public:
  explicit SsbPlan(const stage::QuerySubject& subject)
      : query_(find_query(subject.question)), frames_(subject.frames) {
    stage::check_parameters(description, subject.parameters);
    plan_fact_table(stage::parameter_value(description, subject.parameters, "skip") != 0);
    plan_tables();
    if (subject.output_bytes < answer_bytes()) {
      refuse("the answer of " + subject.question + " has " + std::to_string(answer_bytes()) + " bytes");
    }
    for (const FrameOnDevice& frame : frames_) {
      parts_.push_back({.name = "frame", .role = Role::input, .bytes = frame.frame_bytes, .alignment = 1});
    }
    const std::uint64_t status_bytes = status_count_ * sizeof(std::uint32_t);
    parts_.push_back({.name = "answer", .role = Role::output, .bytes = answer_bytes(), .alignment = 8});
    parts_.push_back({.name = "result", .role = Role::result, .bytes = 0, .alignment = 8});
    parts_.push_back({.name = "state", .role = Role::state, .bytes = 0, .alignment = 1});
    parts_.push_back({.name = "scratch", .role = Role::scratch, .bytes = scratch_bytes_, .alignment = 8});
    parts_.push_back({.name = "status", .role = Role::status, .bytes = status_bytes, .alignment = 4});
  }

  std::span<const stage::Part> parts() const override { return parts_; }

  std::span<const stage::Phase> phases() const override {
    static constexpr std::array phases = {stage::Phase{.name = "tables"}, stage::Phase{.name = "query"}};
    return phases;
  }

  void enqueue(std::span<const stage::Given> given, stage::Stream stream, std::size_t phase) const override {
    if (phase == 0) {
      build_tables(given, stream);
    } else {
      ask(given, stream);
    }
  }

  stage::Outcome check(std::span<const std::byte> status, std::span<const std::byte> /*result*/,
                       std::uint64_t first) const override {
    if (auto problem = stage::first_problem(for_format, status, first)) return {.problem = problem};
    return {.count = query_.groups, .is_complete = true};
  }

private:
  void plan_fact_table(bool skips) {
    const std::size_t count = query_.columns.size();
    std::size_t wanted = count;
    for (const JoinedTable& table : query_.tables) wanted += columns_of(table).size();
    if (frames_.size() != wanted) {
      refuse(std::string(query_.name) + " reads " + std::to_string(wanted) + " columns, not " +
             std::to_string(frames_.size()));
    }
    check_columns(std::span(frames_).first(count));
    status_count_ = count * frames_[0].block_count;
    bool all_plain = true;
    bool all_for = true;
    bool are_smallest = true;
    for (std::size_t column = 0; column < count; ++column) {
      const FrameOnDevice& frame = frames_[column];
      all_plain = all_plain && is_plain(frame);
      all_for = all_for && frame.format == for_format;
      are_smallest =
          are_smallest && frame.format == (has_runs(query_.columns[column]) ? rfor_format : for_format);
    }
    if (all_plain) {
      kernel_ = skips ? query_.kernels.plain : query_.kernels.whole;
      shared_bytes_ = least_shared_bytes;
    } else if (!skips) {
      refuse("with skip 0, all columns of the fact table are plain");
    } else if (all_for) {
      kernel_ = query_.kernels.packed;
      shared_bytes_ = shared_bytes_of_loads<std::uint32_t, LoadBitPack>;
    } else if (are_smallest) {
      kernel_ = query_.kernels.smallest;
      shared_bytes_ = shared_bytes_of_loads<std::uint32_t, LoadBitPack, LoadRBitPack>;
    } else {
      refuse("columns are of format for, but lo_orderdate and lo_custkey both of format rfor, or all plain");
    }
  }

  void plan_tables() {
    std::size_t next = query_.columns.size();
    for (const JoinedTable& table : query_.tables) {
      const std::size_t count = columns_of(table).size();
      const std::span columns = std::span(frames_).subspan(next, count);
      check_columns(columns);
      for (const FrameOnDevice& frame : columns) {
        if (frame.format != for_format) refuse("columns of a joined table are of format for");
      }
      const std::uint64_t rows = columns[0].uncompressed_bytes / value_bytes;
      const auto size = table.keys != 0 ? table.keys : static_cast<std::uint32_t>(rows);
      tables_.push_back({.table = table,
                         .first_frame = next,
                         .frame_count = count,
                         .size = size,
                         .offset = scratch_bytes_,
                         .first_status = status_count_});
      scratch_bytes_ += std::uint64_t{size} * sizeof(std::uint16_t);
      status_count_ += count * columns[0].block_count;
      next += count;
    }
  }

  std::uint64_t answer_bytes() const { return query_.groups * sizeof(unsigned long long); }

  // After the frames: answer, result, state, scratch, status.
  const stage::Given& answer(std::span<const stage::Given> given) const { return given[frames_.size()]; }
  const stage::Given& scratch(std::span<const stage::Given> given) const { return given[frames_.size() + 3]; }
  std::uint32_t* statuses(std::span<const stage::Given> given) const {
    return static_cast<std::uint32_t*>(given[frames_.size() + 4].data);
  }

  FrameOnDevice frame(std::span<const stage::Given> given, std::size_t number) const {
    FrameOnDevice frame = frames_[number];
    frame.bytes = static_cast<const std::uint8_t*>(given[number].data);
    return frame;
  }

  KeyTable key_table(std::span<const stage::Given> given, const PlannedTable& planned) const {
    auto* const entries = static_cast<std::uint8_t*>(scratch(given).data) + planned.offset;
    return {.entries = reinterpret_cast<std::uint16_t*>(entries),
            .first_key = planned.table.first_key,
            .size = planned.size,
            .stride = planned.table.stride};
  }

  void build_tables(std::span<const stage::Given> given, stage::Stream stream) const {
    if (scratch_bytes_ != 0) stage::clear(scratch(given).data, scratch_bytes_, stream);
    for (const PlannedTable& planned : tables_) {
      // A grid of no blocks is an error in CUDA.
      if (frames_[planned.first_frame].block_count == 0) continue;
      // Without groups, nobody reads the third column.
      const std::size_t last = planned.first_frame + planned.frame_count - 1;
      const TableRequest request = {.columns = {frame(given, planned.first_frame),
                                                frame(given, planned.first_frame + 1), frame(given, last)},
                                    .column_count = static_cast<std::uint32_t>(planned.frame_count),
                                    .filter = planned.table.filter,
                                    .first_group = planned.table.first_group,
                                    .groups = planned.table.groups,
                                    .table = key_table(given, planned),
                                    .statuses = statuses(given) + planned.first_status};
      stage::launch({.thread_blocks = tiles_of(request.columns[0], value_bytes),
                     .threads_per_block = threads_of_tile,
                     .shared_bytes = shared_bytes_of_loads<std::uint32_t, LoadBitPack>,
                     .stream = stream},
                    build_table, request);
    }
  }

  void ask(std::span<const stage::Given> given, stage::Stream stream) const {
    stage::clear(answer(given).data, answer_bytes(), stream);
    if (frames_[0].block_count == 0) return;
    QueryOnDevice query = {.columns = {},
                           .filters = query_.filters,
                           .tables = {},
                           .sums = static_cast<unsigned long long*>(answer(given).data),
                           .statuses = statuses(given),
                           .column_count = static_cast<std::uint32_t>(query_.columns.size())};
    for (std::size_t column = 0; column < query_.columns.size(); ++column) {
      query.columns[column] = frame(given, column);
    }
    for (std::size_t table = 0; table < tables_.size(); ++table) {
      query.tables[table] = key_table(given, tables_[table]);
    }
    stage::launch({.thread_blocks = tiles_of(query.columns[0], value_bytes),
                   .threads_per_block = threads_of_tile,
                   .shared_bytes = shared_bytes_,
                   .stream = stream},
                  kernel_, query);
  }

  Query query_;
  std::vector<FrameOnDevice> frames_;
  QueryKernel kernel_ = nullptr;
  std::size_t shared_bytes_ = 0;
  std::vector<PlannedTable> tables_;
  std::uint64_t scratch_bytes_ = 0;
  std::uint64_t status_count_ = 0;
  std::vector<stage::Part> parts_;
};

std::vector<std::string> names_of_queries() {
  std::vector<std::string> names;
  for (const Query& query : all_queries()) names.emplace_back(query.name);
  return names;
}

std::vector<std::string> columns_of_query(std::string_view question) {
  const Query query = find_query(question);
  std::vector<std::string> columns(query.columns.begin(), query.columns.end());
  for (const JoinedTable& table : query.tables) {
    for (std::string& column : columns_of(table)) columns.push_back(std::move(column));
  }
  return columns;
}

std::uint32_t groups_of_query(std::string_view question) {
  return find_query(question).groups;
}

const stage::KernelsOn<Questions> questions(stage::this_executor, {.names = names_of_queries,
                                                                   .columns = columns_of_query,
                                                                   .groups = groups_of_query});

const stage::Registration registration(stage::this_executor, description,
                                       stage::QueryPlans{.reads = reads,
                                                         .make = [](const stage::QuerySubject& subject) {
                                                           return std::make_unique<SsbPlan>(subject);
                                                         }});

}  // namespace
}  // namespace gsst::tile_integer
