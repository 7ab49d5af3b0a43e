#include "experiments/measure/shared/partial_rows.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <sstream>
#include <system_error>

#include "experiments/measure/shared/error.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;

[[noreturn]] void fail(const std::filesystem::path& path) {
  throw InputError("cannot write " + path.string() + ": " + std::generic_category().message(errno));
}

std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// Closes a file descriptor.
class Descriptor {
public:
  explicit Descriptor(const std::filesystem::path& path)
      : value_(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666)) {
    if (value_ < 0) fail(path);
  }
  ~Descriptor() { ::close(value_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int value() const { return value_; }

private:
  int value_;
};

}  // namespace

PartialRows::PartialRows(const std::filesystem::path& output) : path_(output) {
  path_ += ".partial.jsonl";
  if (!std::filesystem::exists(path_)) return;
  const std::string text = read_text(path_);
  const std::size_t complete = text.rfind('\n') + 1;
  std::stringstream lines(text.substr(0, complete));
  std::string line;
  while (std::getline(lines, line)) {
    try {
      const Json entry = Json::parse(line);
      rows_[entry.at("key").dump()] = entry.at("row");
    } catch (const Json::exception& error) {
      throw InputError(path_.string() +
                       ": not a line of finished rows; remove the file to start again: " + error.what());
    }
  }
  std::filesystem::resize_file(path_, complete);
}

const Json* PartialRows::find(const Json& key) const {
  const auto row = rows_.find(key.dump());
  return row == rows_.end() ? nullptr : &row->second;
}

void PartialRows::append(const Json& key, const Json& row) {
  const std::string line = Json{{"key", key}, {"row", row}}.dump() + "\n";
  const Descriptor file(path_);
  // One write: a line is there whole or is cut off by the next reader.
  if (::write(file.value(), line.data(), line.size()) != static_cast<ssize_t>(line.size())) fail(path_);
  if (::fsync(file.value()) != 0) fail(path_);
  rows_[key.dump()] = row;
}

void PartialRows::remove() const {
  std::filesystem::remove(path_);
}

}  // namespace gsst::experiments
