#pragma once

#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "reference_cpu/test_inputs.hpp"

/// The DBText columns for tests.
namespace gsst::reference::test {

/// What a test says that is skipped because the columns are not there.
inline constexpr const char* dbtext_is_missing =
    "DBText is not here: set GSST_DATA_DIR or run `make figures` once";

/// The files of the columns in a folder, by the columns' names. It may hold some of them or none, and other
/// files too. The names are those whose sizes are committed.
inline std::map<std::string, std::filesystem::path> dbtext_columns_in(const std::filesystem::path& folder) {
  std::map<std::string, std::filesystem::path> columns;
  std::ifstream sizes("reference_cpu/compressed_sizes.csv");
  std::string line;
  while (std::getline(sizes, line)) {
    const std::string name = line.substr(0, line.find(','));
    if (std::filesystem::is_regular_file(folder / name)) columns.emplace(name, folder / name);
  }
  return columns;
}

/// The columns that are here.
inline std::map<std::string, std::filesystem::path> dbtext_columns() {
  const auto folder = dbtext_folder();
  return folder ? dbtext_columns_in(*folder) : std::map<std::string, std::filesystem::path>();
}

}  // namespace gsst::reference::test
