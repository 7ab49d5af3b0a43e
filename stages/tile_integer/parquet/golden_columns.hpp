#pragma once

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/format/tile_integer/parquet_column.hpp"
#include "reference_cpu/test_inputs.hpp"

/// For tests: the files of data/golden/parquet/, which come from a writer of the format's documents alone,
/// and whose list says where pages are.
namespace gsst::tile_integer {

inline const std::string parquet_golden_folder = "data/golden/parquet/";

inline nlohmann::json listed_parquet_files(const char* list) {
  std::ifstream file(parquet_golden_folder + "golden.json");
  if (!file) throw std::runtime_error(parquet_golden_folder + "golden.json: cannot be read");
  return nlohmann::json::parse(file).at(list);
}

inline std::vector<std::uint8_t> bytes_of_parquet_file(const nlohmann::json& entry) {
  return reference::test::read_file(parquet_golden_folder + entry.at("file").get<std::string>());
}

/// What the values of a listed file are, by the list.
inline format::tile_integer::ParquetValues values_of_listed_file(const nlohmann::json& entry) {
  using format::tile_integer::ParquetValues;
  return entry.at("bits") == 32 ? ParquetValues::int32 : ParquetValues::int64;
}

/// A column of `values`, the pages of a listed file, by the list and not by the file's own metadata. Of the
/// last page, `missing` bytes are left out. Throws format::tile_integer::ParquetError.
inline format::tile_integer::ParquetColumn listed_column(const nlohmann::json& entry,
                                                         std::span<const std::uint8_t> file,
                                                         format::tile_integer::ParquetValues values,
                                                         std::uint32_t missing = 0) {
  using namespace format::tile_integer;
  ParquetColumn column = {.values = values, .is_nullable = entry.at("is_nullable").get<bool>()};
  ParquetDictionary dictionary;
  const nlohmann::json& pages = entry.at("pages");
  for (std::size_t i = 0; i < pages.size(); ++i) {
    const nlohmann::json& page = pages[i];
    const auto offset = page.at("offset").get<std::uint64_t>();
    const auto rows = page.at("rows").get<std::uint32_t>();
    if (page.at("is_dictionary").get<bool>()) {
      dictionary = {.offset = offset, .values = rows};
      continue;
    }
    const nlohmann::json& level_bytes = page.at("level_bytes");
    append_page(column, file,
                {.number = i,
                 .offset = offset,
                 .bytes = page.at("bytes").get<std::uint32_t>() - (i + 1 == pages.size() ? missing : 0),
                 .rows = rows,
                 .encoding = static_cast<ParquetEncoding>(page.at("encoding").get<std::int32_t>()),
                 .level_bytes = level_bytes.is_null()
                                    ? std::nullopt
                                    : std::optional<std::uint32_t>(level_bytes.get<std::uint32_t>())},
                dictionary);
  }
  return column;
}

}  // namespace gsst::tile_integer
