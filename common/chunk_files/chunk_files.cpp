#include "common/chunk_files/chunk_files.hpp"

#include <algorithm>

namespace gsst::chunk_files {
namespace {

// Made by the first registration, whichever object's that is.
std::vector<ChunkFiles>& chunk_files_table() {
  static std::vector<ChunkFiles> table;
  return table;
}

}  // namespace

const ChunkFiles* find_chunk_files(format::BlockFormat format) {
  const std::vector<ChunkFiles>& table = chunk_files_table();
  const auto found = std::ranges::find(table, format, &ChunkFiles::format);
  return found == table.end() ? nullptr : &*found;
}

ChunkFilesRegistration::ChunkFilesRegistration(const ChunkFiles& files) {
  chunk_files_table().push_back(files);
}

}  // namespace gsst::chunk_files
