#include "common/columns/column_files.hpp"

#include <algorithm>

namespace gsst::columns {
namespace {

// Made by the first registration, whichever object's that is.
std::vector<ColumnFiles>& column_files_table() {
  static std::vector<ColumnFiles> table;
  return table;
}

}  // namespace

const std::vector<ColumnFiles>& registered_column_files() {
  return column_files_table();
}

const ColumnFiles* find_column_files(std::span<const std::uint8_t> start) {
  for (const ColumnFiles& files : column_files_table()) {
    const bool is_one =
        start.size() >= files.magic.size() &&
        std::equal(files.magic.begin(), files.magic.end(), start.begin(),
                   [](char letter, std::uint8_t byte) { return static_cast<std::uint8_t>(letter) == byte; });
    if (is_one) return &files;
  }
  return nullptr;
}

ColumnFilesRegistration::ColumnFilesRegistration(const ColumnFiles& files) {
  column_files_table().push_back(files);
}

}  // namespace gsst::columns
