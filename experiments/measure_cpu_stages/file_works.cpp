#include "experiments/measure_cpu_stages/file_works.hpp"

#include <sys/resource.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <string>

#include "experiments/measure/shared/error.hpp"
#include "experiments/measure/shared/input_file.hpp"
#include "experiments/measure/shared/points.hpp"
#include "experiments/measure_cpu/codec.hpp"
#include "experiments/measure_cpu/verified_timing.hpp"
#include "experiments/measure_cpu_stages/file_tool.hpp"
#include "reference_cpu/parallel.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

// Of one tool; bzip2 takes more than a minute for the thesis's file, and is timed three times.
constexpr double seconds_limit_per_tool = 60;
constexpr std::size_t least_repetitions_of_tool = 3;

struct ProcessUse {
  double seconds;
  std::uint64_t peak_memory_bytes;
};

format::ReadFunction reader(std::ifstream& file) {
  return [&file](std::span<std::uint8_t> buffer) {
    file.read(reinterpret_cast<char*>(buffer.data()), static_cast<std::streamsize>(buffer.size()));
    if (file.bad()) throw InputError("a file cannot be read");
    return static_cast<std::size_t>(file.gcount());
  };
}

format::WriteFunction writer(std::ofstream& file) {
  return [&file](std::span<const std::uint8_t> bytes) {
    if (!file.write(reinterpret_cast<const char*>(bytes.data()),
                    static_cast<std::streamsize>(bytes.size()))) {
      throw InputError("a file cannot be written");
    }
  };
}

// Runs `work` in a process of its own and waits for it. Throws CodecError if it fails.
template <typename Work>
ProcessUse use_of_process(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  const pid_t child = fork();
  if (child < 0) throw CodecError("no process can be started");
  if (child == 0) {
    try {
      work();
      _exit(0);
    } catch (const std::exception& error) {
      std::cerr << error.what() << std::endl;
      _exit(1);
    }
  }
  int status = 0;
  rusage usage = {};
  if (wait4(child, &status, 0, &usage) != child || status != 0) throw CodecError("a tool has failed");
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  // The system counts in KiB.
  return {.seconds = seconds.count(),
          .peak_memory_bytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024};
}

void compress_file(const FileTool& tool, unsigned threads, const fs::path& from, const fs::path& to) {
  std::ifstream input(from, std::ios::binary);
  std::ofstream output(to, std::ios::binary | std::ios::trunc);
  tool.compress(reader(input), writer(output), threads);
  output.close();
  if (!output) throw InputError("cannot write " + to.string());
}

void verify_file(const FileTool& tool, const fs::path& compressed, const fs::path& expected) {
  std::ifstream input(compressed, std::ios::binary);
  std::ifstream original(expected, std::ios::binary);
  std::vector<std::uint8_t> piece;
  const auto compare = [&](std::span<const std::uint8_t> bytes) {
    piece.resize(bytes.size());
    if (reader(original)(piece) != bytes.size() || !std::ranges::equal(piece, bytes)) {
      throw MismatchError(tool.name + ": the file decompresses to other bytes");
    }
  };
  tool.decompress(reader(input), compare);
  if (original.peek() != std::ifstream::traits_type::eof()) {
    throw MismatchError(tool.name + ": the file decompresses to fewer bytes");
  }
}

// The kind of file system, by the numbers of statfs(2).
std::string file_system_of(const fs::path& folder) {
  static const std::map<std::uint64_t, std::string> names = {{0xef53, "ext4"},         {0x0102'1994, "tmpfs"},
                                                             {0x5846'5342, "xfs"},     {0x9123'683e, "btrfs"},
                                                             {0x794c'7630, "overlay"}, {0x6969, "nfs"}};
  struct statfs found = {};
  if (statfs(folder.c_str(), &found) != 0) throw InputError("cannot look at " + folder.string());
  const auto name = names.find(static_cast<std::uint64_t>(found.f_type));
  if (name != names.end()) return name->second;
  std::ostringstream number;
  number << "0x" << std::hex << found.f_type;
  return number.str();
}

Json measure_tool(const FileTool& tool, unsigned threads, const FileOptions& options,
                  const Dataset& dataset) {
  const fs::path compressed = options.folder / "compressed_file";
  const auto run = [&] {
    fs::remove(compressed);
    return use_of_process([&] { compress_file(tool, threads, options.input, compressed); });
  };
  // It leaves the input in the system's memory too.
  const ProcessUse first = run();
  verify_file(tool, compressed, options.input);
  const Repetitions repetitions = {.wanted = options.repetitions,
                                   .seconds_limit = seconds_limit_per_tool,
                                   .minimum = least_repetitions_of_tool};
  std::vector<double> seconds;
  std::uint64_t most_memory = first.peak_memory_bytes;
  for (std::size_t left = repetitions.count(first.seconds); left != 0; --left) {
    const ProcessUse use = run();
    seconds.push_back(use.seconds);
    most_memory = std::max(most_memory, use.peak_memory_bytes);
  }
  verify_file(tool, compressed, options.input);
  const std::uint64_t idle = use_of_process([] {}).peak_memory_bytes;
  Json row = row_to_json({.stage = tool.stage,
                          .variant = tool.variant,
                          .parameters = {{"threads", threads}},
                          .uncompressed_bytes = input_file_bytes(options.input),
                          .compressed_bytes = fs::file_size(compressed),
                          .seconds = summarize(seconds)},
                         dataset);
  row["operation"] = "encode";
  row["tool"] = tool.name;
  row["threads"] = threads;
  row["processors"] = reference::thread_count(0);
  row["peak_memory_bytes"] = most_memory;
  row["idle_memory_bytes"] = idle;
  row["file_system"] = file_system_of(options.folder);
  row["caches_dropped"] = false;
  fs::remove(compressed);
  return row;
}

}  // namespace

std::vector<StudiedWork> file_works(const fs::path& points, const FileOptions& options,
                                    const Dataset& dataset) {
  static_cast<void>(input_file_bytes(options.input));
  const Json entries = read_document(points).value("files", Json::array());
  std::vector<StudiedWork> works;
  for (const Json& entry : entries) {
    const std::string name = entry.value("tool", std::string());
    const unsigned threads = entry.value("threads", 0u);
    if (threads == 0) throw InputError(points.string() + ": " + name + ": 'threads' must be 1 or more");
    const auto missing = missing_file_tools();
    if (std::ranges::find(missing, name) != missing.end()) {
      std::cerr << "missing codec: " << name << "\n";
      continue;
    }
    works.push_back(
        {.key = {{"file", entry}}, .measure = [tool = file_tool_named(name), threads, options, dataset] {
           return std::vector{measure_tool(tool, threads, options, dataset)};
         }});
  }
  return works;
}

}  // namespace gsst::experiments
