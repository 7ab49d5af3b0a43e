#include "experiments/measure_search_cpu/search_ways.hpp"

namespace gsst::experiments {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// zstd's default.
constexpr int zstd_level = 3;

// What both commands write goes through a pipe, from the first to the second; the count is the second's.
std::vector<std::string> into_grep(const std::string& decompress, const fs::path& file,
                                   const fs::path& patterns) {
  return {"sh", "-c", decompress + " \"$1\" | grep -a -c -E -f \"$2\"", "sh", file, patterns};
}

}  // namespace

SearchWay grep_of_text(const SearchedFiles& files, const fs::path& patterns) {
  return {.stage = "peer/grep",
          .variant = "text",
          .parameters = Json{{"threads", 1}},
          .file_bytes = fs::file_size(files.text()),
          .command = {"grep", "-a", "-c", "-E", "-f", patterns, files.text()}};
}

std::vector<SearchWay> other_search_ways(const SearchedFiles& files, const SearchedTiles& tiles,
                                         const SearchTools& tools, const fs::path& patterns) {
  std::vector<SearchWay> ways;
  const auto add_tiles = [&](const char* stage, std::uint32_t bits, std::vector<std::string> command,
                             bool counts_others) {
    ways.push_back({.stage = stage,
                    .variant = std::to_string(bits) + " bits",
                    .parameters = Json{{"code_bits", bits},
                                       {"level", tiles.level},
                                       {"block_bytes", tiles.block_bytes},
                                       {"threads", 1}},
                    .file_bytes = fs::file_size(files.tiles().at(bits)),
                    .command = std::move(command),
                    .counts_others = counts_others});
  };
  for (const auto& [bits, file] : files.tiles()) {
    add_tiles("search/codes", bits, {tools.command, "grep", "-c", "--threads", "1", "-f", patterns, file},
              false);
  }
  const auto& [widest, file] = *files.tiles().rbegin();
  add_tiles("search/decoded", widest,
            {tools.command, "grep", "-v", "-c", "--threads", "1", "-f", patterns, file}, true);
  add_tiles("search/decoded_to_grep", widest,
            into_grep("'" + tools.command.string() + "' --quiet --threads 1 -dc", file, patterns), false);
  if (files.zstd()) {
    ways.push_back({.stage = "peer/zstd_grep",
                    .variant = "level " + std::to_string(zstd_level),
                    .parameters = Json{{"level", zstd_level}, {"threads", 1}},
                    .file_bytes = fs::file_size(*files.zstd()),
                    .command = into_grep("zstd -q -dc", *files.zstd(), patterns)});
  }
  if (has_program("rg")) {
    ways.push_back({.stage = "peer/ripgrep",
                    .variant = "text",
                    .parameters = Json{{"threads", 1}},
                    .file_bytes = fs::file_size(files.text()),
                    .command = {"rg", "--no-config", "--no-unicode", "-a", "-c", "-j", "1", "-f", patterns,
                                files.text()}});
  }
  return ways;
}

}  // namespace gsst::experiments
