#include "experiments/measure_query/tables_file.hpp"

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>

#include "experiments/measure/shared/error.hpp"

namespace gsst::experiments {
namespace {

// The first line and each column begin at a multiple of so many bytes.
constexpr std::size_t columns_alignment = 64;
constexpr std::size_t longest_head = std::size_t{1} << 16;

[[noreturn]] void refuse_tables(const std::string& why) {
  throw InputError("the input is no file of tables: " + why);
}

std::size_t to_next_column(std::size_t bytes) {
  return (bytes + columns_alignment - 1) / columns_alignment * columns_alignment;
}

}  // namespace

TablesFile::TablesFile(std::span<const std::uint8_t> bytes) {
  const auto start = bytes.first(std::min(bytes.size(), longest_head));
  const auto line_end = std::ranges::find(start, std::uint8_t{'\n'});
  if (line_end == start.end()) refuse_tables("it has no first line");
  std::size_t place = static_cast<std::size_t>(line_end - start.begin()) + 1;
  const auto head = nlohmann::ordered_json::parse(start.begin(), line_end, nullptr, false);
  if (!head.is_object() || !head.contains("columns") || !head["columns"].is_object() ||
      place % columns_alignment != 0) {
    refuse_tables("its first line lists no columns");
  }
  for (const auto& [name, values] : head["columns"].items()) {
    if (!values.is_number_unsigned() || values > bytes.size()) refuse_tables(name + " has no size");
    const auto count = values.get<std::size_t>();
    const std::size_t column_bytes = to_next_column(count * sizeof(std::uint32_t));
    if (column_bytes > bytes.size() - place) refuse_tables("it ends before the end of " + name);
    columns_[name] = {reinterpret_cast<const std::uint32_t*>(bytes.data() + place), count};
    place += column_bytes;
  }
  if (place != bytes.size()) refuse_tables("bytes follow its columns");
}

std::span<const std::uint32_t> TablesFile::column(std::string_view name) const {
  const auto found = columns_.find(name);
  if (found == columns_.end()) throw InputError("the tables have no column " + std::string(name));
  return found->second;
}

}  // namespace gsst::experiments
