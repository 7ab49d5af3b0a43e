#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "common/format/formats.hpp"
#include "common/format/tile_integer/tile_integer.hpp"
#include "common/stage/block_statuses.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/plans_of_stage.hpp"
#include "stages/tile_integer/shared/ssb_queries.hpp"
#include "stages/tile_integer/shared/ssb_query.cuh"

// Plans of stages that answer the 13 queries. After launch.hpp, which gives the kernels CUDA's words where
// the compiler has none.
namespace gsst::tile_integer {
namespace {

// The query of that name. Throws std::invalid_argument, which names the stage.
inline SsbQuery find_query(const std::string& stage, std::string_view name) {
  std::string known;
  for (const SsbQuery& query : all_queries()) {
    if (query.name == name) return query;
    known += known.empty() ? "" : ", ";
    known += query.name;
  }
  throw std::invalid_argument("stage " + stage + ": there is no query '" + std::string(name) + "', only " +
                              known);
}

// The names of the columns of a table that is joined.
inline std::vector<std::string> columns_of(const JoinedTable& table) {
  std::vector<std::string> columns = {std::string(table.key), std::string(table.filter_column)};
  if (!table.group_column.empty()) columns.emplace_back(table.group_column);
  return columns;
}

// Of KeyTable::bits.
constexpr std::uint64_t bytes_of_bits(std::uint32_t keys) {
  return (std::uint64_t{keys} + 31) / 32 * sizeof(std::uint32_t);
}

// What stages have in common: which frames a query is about, the arrays by key, the parts. The plan's first
// phase builds the arrays, the second one reads the fact table.
class SsbPlan : public stage::Plan {
public:
  // Columns of the fact table have one of `formats`, those of other tables format `for`. With `has_bits` the
  // first table that is joined has KeyTable::bits, for build() to set. `description` outlives the plan.
  // Throws std::invalid_argument, which names the stage.
  SsbPlan(const stage::Description& description, const stage::QuerySubject& subject,
          std::span<const format::BlockFormat> formats, bool has_bits)
      : description_(description),
        has_bits_(has_bits),
        query_(find_query(description.id, subject.question)),
        frames_(subject.frames) {
    stage::check_parameters(description, subject.parameters);
    plan_fact_table(formats);
    plan_tables();
    if (subject.output_bytes < answer_bytes()) {
      refuse("the answer of " + subject.question + " has " + std::to_string(answer_bytes()) + " bytes");
    }
    for (const stage::FrameOnDevice& frame : frames_) {
      parts_.push_back(
          {.name = "frame", .role = stage::Role::input, .bytes = frame.frame_bytes, .alignment = 1});
    }
    const std::uint64_t status_bytes = status_count_ * sizeof(std::uint32_t);
    parts_.push_back(
        {.name = "answer", .role = stage::Role::output, .bytes = answer_bytes(), .alignment = 8});
    parts_.push_back({.name = "result", .role = stage::Role::result, .bytes = 0, .alignment = 8});
    parts_.push_back({.name = "state", .role = stage::Role::state, .bytes = 0, .alignment = 1});
    parts_.push_back(
        {.name = "scratch", .role = stage::Role::scratch, .bytes = scratch_bytes_, .alignment = 8});
    parts_.push_back({.name = "status", .role = stage::Role::status, .bytes = status_bytes, .alignment = 4});
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
      ask_all(given, stream);
    }
  }

  stage::Outcome check(std::span<const std::byte> status, std::span<const std::byte> /*result*/,
                       std::uint64_t first) const override {
    if (auto problem = stage::first_problem(format::tile_integer::for_format, status, first)) {
      return {.problem = problem};
    }
    return {.count = query_.groups, .is_complete = true};
  }

protected:
  // Enqueues the building of arrays by key, all of whose entries are 0 before. Each table has a row.
  virtual void build(std::span<const TableRequest> requests, stage::Stream stream) const = 0;
  // Enqueues the kernel that reads the fact table, which has a row.
  virtual void ask(const QueryOnDevice& query, stage::Stream stream) const = 0;

  [[noreturn]] void refuse(const std::string& why) const {
    throw std::invalid_argument("stage " + description_.id + ": " + why);
  }
  const SsbQuery& query() const { return query_; }
  // Of the fact table, in the order of the query's. They are in no memory yet.
  std::span<const stage::FrameOnDevice> columns() const {
    return std::span(frames_).first(query_.columns.size());
  }

  // Of the first table that is joined; 0 where none is.
  std::uint32_t keys_of_first_table() const { return tables_.empty() ? 0 : tables_[0].size; }

private:
  // A table of a plan. Its frames are those from number `first_frame` on.
  struct PlannedTable {
    JoinedTable table;
    std::size_t first_frame;
    std::size_t frame_count;
    std::uint32_t size;
    // In scratch memory, of the entries and of the bits; no bits: 0.
    std::uint64_t offset;
    std::uint64_t offset_of_bits;
    // Of its first status word.
    std::uint64_t first_status;
  };

  static constexpr std::uint32_t bytes_of_value = sizeof(std::uint32_t);

  static constexpr std::uint64_t whole_words(std::uint64_t bytes) {
    return (bytes + sizeof(std::uint32_t) - 1) / sizeof(std::uint32_t) * sizeof(std::uint32_t);
  }

  // Rows of columns whose values have to be next to each other.
  void check_columns(std::span<const stage::FrameOnDevice> frames,
                     std::span<const format::BlockFormat> formats) const {
    using namespace format::tile_integer;
    constexpr std::uint32_t allowed = trait_of(Type::i32) | trait_of(Type::u32);
    for (const stage::FrameOnDevice& frame : frames) {
      if (std::ranges::find(formats, frame.format) == formats.end()) {
        std::string names;
        for (const format::BlockFormat format : formats) {
          names += names.empty() ? "" : " or ";
          names += format::block_format_name(format);
        }
        refuse("columns are frames of format " + names);
      }
      if ((frame.payload_traits & all_traits & ~allowed) != 0)
        refuse("columns have values of the types i32 and u32");
      if (frame.uncompressed_bytes % bytes_of_value != 0) refuse("a column ends within a value");
      if (frame.uncompressed_bytes != frames[0].uncompressed_bytes ||
          frame.block_count != frames[0].block_count) {
        refuse("columns of a table differ in their numbers of values or of blocks");
      }
    }
  }

  void plan_fact_table(std::span<const format::BlockFormat> formats) {
    const std::size_t count = query_.columns.size();
    std::size_t wanted = count;
    for (const JoinedTable& table : query_.tables) wanted += columns_of(table).size();
    if (frames_.size() != wanted) {
      refuse(std::string(query_.name) + " reads " + std::to_string(wanted) + " columns, not " +
             std::to_string(frames_.size()));
    }
    check_columns(columns(), formats);
    status_count_ = count * frames_[0].block_count;
  }

  void plan_tables() {
    static constexpr std::array formats = {format::tile_integer::for_format};
    std::size_t next = query_.columns.size();
    for (const JoinedTable& table : query_.tables) {
      const std::size_t count = columns_of(table).size();
      const std::span table_columns = std::span(frames_).subspan(next, count);
      check_columns(table_columns, formats);
      const std::uint64_t rows = table_columns[0].uncompressed_bytes / bytes_of_value;
      const auto size = table.keys != 0 ? table.keys : static_cast<std::uint32_t>(rows);
      tables_.push_back({.table = table,
                         .first_frame = next,
                         .frame_count = count,
                         .size = size,
                         .offset = scratch_bytes_,
                         .offset_of_bits = 0,
                         .first_status = status_count_});
      scratch_bytes_ += whole_words(std::uint64_t{size} * sizeof(std::uint16_t));
      if (has_bits_ && tables_.size() == 1) {
        tables_.back().offset_of_bits = scratch_bytes_;
        scratch_bytes_ += bytes_of_bits(size);
      }
      status_count_ += count * table_columns[0].block_count;
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

  stage::FrameOnDevice frame(std::span<const stage::Given> given, std::size_t number) const {
    stage::FrameOnDevice frame = frames_[number];
    frame.bytes = static_cast<const std::uint8_t*>(given[number].data);
    return frame;
  }

  KeyTable key_table(std::span<const stage::Given> given, const PlannedTable& planned) const {
    auto* const memory = static_cast<std::uint8_t*>(scratch(given).data);
    auto* const bits = reinterpret_cast<std::uint32_t*>(memory + planned.offset_of_bits);
    return {.entries = reinterpret_cast<std::uint16_t*>(memory + planned.offset),
            .bits = planned.offset_of_bits == 0 ? nullptr : bits,
            .first_key = planned.table.first_key,
            .size = planned.size,
            .stride = planned.table.stride};
  }

  void build_tables(std::span<const stage::Given> given, stage::Stream stream) const {
    if (scratch_bytes_ != 0) stage::clear(scratch(given).data, scratch_bytes_, stream);
    std::array<TableRequest, max_tables> requests;
    std::size_t count = 0;
    for (const PlannedTable& planned : tables_) {
      // A grid of no blocks is an error in CUDA.
      if (frames_[planned.first_frame].block_count == 0) continue;
      // Without groups, nobody reads the third column.
      const std::size_t last = planned.first_frame + planned.frame_count - 1;
      requests.at(count++) = {.columns = {frame(given, planned.first_frame),
                                          frame(given, planned.first_frame + 1), frame(given, last)},
                              .column_count = static_cast<std::uint32_t>(planned.frame_count),
                              .filter = planned.table.filter,
                              .first_group = planned.table.first_group,
                              .groups = planned.table.groups,
                              .table = key_table(given, planned),
                              .statuses = statuses(given) + planned.first_status};
    }
    if (count != 0) build(std::span(requests).first(count), stream);
  }

  void ask_all(std::span<const stage::Given> given, stage::Stream stream) const {
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
    ask(query, stream);
  }

  const stage::Description& description_;
  bool has_bits_;
  SsbQuery query_;
  std::vector<stage::FrameOnDevice> frames_;
  std::vector<PlannedTable> tables_;
  std::uint64_t scratch_bytes_ = 0;
  std::uint64_t status_count_ = 0;
  std::vector<stage::Part> parts_;
};

}  // namespace
}  // namespace gsst::tile_integer
