#include "experiments/measure_search_cpu/searched_files.hpp"

#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <system_error>
#include <utility>

#include "experiments/measure_command/spawned_command.hpp"

namespace gsst::experiments {
namespace {

namespace fs = std::filesystem;

fs::path new_folder_of_searches(const fs::path& in) {
  std::string pattern = in / "gsst_measure_search_cpu_XXXXXX";
  if (::mkdtemp(pattern.data()) == nullptr) {
    throw std::system_error(errno, std::generic_category(), "a folder in " + in.string());
  }
  return pattern;
}

}  // namespace

bool has_program(const std::string& name) {
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (::access((fs::path(folder) / name).c_str(), X_OK) == 0) return true;
  }
  return false;
}

SearchedFiles::SearchedFiles(fs::path text, const SearchedTiles& tiles, const SearchTools& tools)
    : folder_(new_folder_of_searches(tools.folder)), text_(std::move(text)) {
  for (const std::uint32_t bits : tiles.code_bits) {
    const fs::path file = folder_ / ("tiles_" + std::to_string(bits));
    seconds_of_command({tools.command, "--quiet", "--format", "tiles", "--block-size",
                        std::to_string(tiles.block_bytes), "--code-bits", std::to_string(bits),
                        "-" + std::to_string(tiles.level), text_, "-o", file});
    tiles_[bits] = file;
  }
  if (has_program("zstd")) {
    zstd_ = folder_ / "zstd";
    seconds_of_command({"zstd", "-q", "-T0", text_, "-o", *zstd_});
  }
}

SearchedFiles::~SearchedFiles() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

fs::path SearchedFiles::write_patterns(std::span<const std::string> patterns) const {
  fs::path path = folder_ / "patterns";
  std::ofstream file(path, std::ios::binary);
  file.exceptions(std::ios::failbit | std::ios::badbit);
  for (const std::string& pattern : patterns) file << pattern << '\n';
  file.close();
  return path;
}

}  // namespace gsst::experiments
