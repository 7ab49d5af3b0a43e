#include "experiments/measure_disk/storage.hpp"

#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <vector>

#include "experiments/measure/shared/error.hpp"

namespace gsst::experiments {
namespace {

namespace fs = std::filesystem;

// The places of what is read, by the words of a line; those after the separator count from there.
constexpr std::size_t mount_point_word = 4;
constexpr std::size_t least_optional_word = 6;

// Space, tab, line feed and backslash are a backslash and three octal digits.
std::string unescaped(std::string_view text) {
  constexpr std::size_t digits = 3;
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + digits < text.size()) {
      plain += static_cast<char>(std::stoi(std::string(text.substr(i + 1, digits)), nullptr, 8));
      i += digits;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

std::optional<Mount> mount_in_line(const std::string& line) {
  std::istringstream text(line);
  const std::vector<std::string> words{std::istream_iterator<std::string>(text), {}};
  if (words.size() <= least_optional_word) return std::nullopt;
  const auto separator = std::find(words.begin() + least_optional_word, words.end(), "-");
  if (words.end() - separator < 3) return std::nullopt;
  return Mount{.mount_point = unescaped(words[mount_point_word]),
               .type = separator[1],
               .source = unescaped(separator[2])};
}

bool is_below(const fs::path& path, const fs::path& folder) {
  return std::ranges::mismatch(folder, path).in1 == folder.end() || folder == path.root_path();
}

// The first line; empty where the file is not there.
std::string line_of(const fs::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line.substr(0, line.find_last_not_of(' ') + 1);
}

std::string medium_of(const std::string& rotational) {
  if (rotational == "1") return "rotational";
  return rotational == "0" ? "not rotational" : "unknown";
}

struct stat status_of(const fs::path& path) {
  struct stat status = {};
  if (stat(path.c_str(), &status) != 0) throw InputError("cannot look at " + path.string());
  return status;
}

// That of what is mounted, where it is a device; else what files have, which is no disk's for some systems.
dev_t device_number(const fs::path& folder, const std::string& source) {
  struct stat status = {};
  if (stat(source.c_str(), &status) == 0 && S_ISBLK(status.st_mode)) return status.st_rdev;
  return status_of(folder).st_dev;
}

}  // namespace

Mount mount_of(const fs::path& path, std::string_view mountinfo) {
  std::istringstream lines{std::string(mountinfo)};
  std::optional<Mount> longest;
  for (std::string line; std::getline(lines, line);) {
    std::optional<Mount> mount = mount_in_line(line);
    if (!mount || !is_below(path, mount->mount_point)) continue;
    if (!longest || mount->mount_point.native().size() >= longest->mount_point.native().size()) {
      longest = std::move(mount);
    }
  }
  return longest.value_or(Mount{.mount_point = {}, .type = "unknown", .source = {}});
}

BlockDevice block_device_of(unsigned major, unsigned minor, const fs::path& sysfs) {
  std::error_code error;
  const fs::path link = sysfs / "dev" / "block" / (std::to_string(major) + ":" + std::to_string(minor));
  fs::path disk = fs::canonical(link, error);
  if (error) return {.name = "none", .model = "", .medium = "unknown"};
  if (fs::exists(disk / "partition")) disk = disk.parent_path();
  return {.name = disk.filename().string(),
          .model = line_of(disk / "device" / "model"),
          .medium = medium_of(line_of(disk / "queue" / "rotational"))};
}

Storage storage_of(const fs::path& folder) {
  if (!fs::is_directory(folder)) throw InputError(folder.string() + " is no folder");
  std::ifstream file("/proc/self/mountinfo");
  const std::string mountinfo{std::istreambuf_iterator<char>(file), {}};
  Mount mount = mount_of(fs::canonical(folder), mountinfo);
  const dev_t number = device_number(folder, mount.source);
  return {.mount = std::move(mount), .device = block_device_of(major(number), minor(number), "/sys")};
}

}  // namespace gsst::experiments
