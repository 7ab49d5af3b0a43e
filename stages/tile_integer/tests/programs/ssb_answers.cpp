#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "stages/tile_integer/tests/query/run_query.hpp"

// For tests: `ssb_answers STAGE EXECUTOR STORAGE FOLDER` answers all queries of the Star Schema Benchmark
// about the columns in FOLDER, files of 32-bit numbers (data/ssb.py). EXECUTOR is simt or gpu, STORAGE plain,
// packed or smallest. Prints a line for each sum that is not 0: the query, the number of the group, the sum.
namespace gsst::tile_integer {
namespace {

// So that small tables have several blocks too.
constexpr std::uint64_t block_bytes = 64 << 10;

stage::Executor executor_of(const std::string& name) {
  for (const stage::Executor executor : stage::executors) {
    if (stage::executor_name(executor) == name) return executor;
  }
  throw std::invalid_argument("there is no executor '" + name + "'");
}

Storage storage_of(const std::string& name) {
  static const std::map<std::string, Storage> storages = {
      {"plain", Storage::plain}, {"packed", Storage::packed}, {"smallest", Storage::smallest}};
  const auto found = storages.find(name);
  if (found == storages.end()) throw std::invalid_argument("there is no storage '" + name + "'");
  return found->second;
}

std::vector<std::uint32_t> read_column(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!file.is_open() || bytes.size() % sizeof(std::uint32_t) != 0) {
    throw std::runtime_error(path.string() + ": is no column");
  }
  std::vector<std::uint32_t> values(bytes.size() / sizeof(std::uint32_t));
  if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

void print_answers(const std::string& stage, stage::Executor executor, Storage storage,
                   const std::filesystem::path& folder) {
  const Questions& questions = stage::KernelsOn<Questions>::get(executor);
  std::map<std::string, std::vector<std::uint8_t>> frames;
  for (const std::string& question : questions.names()) {
    std::vector<std::vector<std::uint8_t>> columns;
    for (const std::string& column : questions.columns(question)) {
      const auto [found, is_new] = frames.try_emplace(column);
      if (is_new) {
        const Storage own = column.starts_with("lo_") ? storage : Storage::packed;
        found->second = column_frame(column, read_column(folder / column), own, block_bytes);
      }
      columns.push_back(found->second);
    }
    const QueryResult result = run_query(stage, executor, question, columns);
    stage::throw_problem(result.outcome);
    for (std::size_t group = 0; group < result.sums.size(); ++group) {
      if (result.sums[group] != 0) std::cout << question << ' ' << group << ' ' << result.sums[group] << '\n';
    }
  }
}

}  // namespace
}  // namespace gsst::tile_integer

int main(int argument_count, char** arguments) {
  const std::vector<std::string> given(arguments + 1, arguments + argument_count);
  if (given.size() != 4) {
    std::cerr << "ssb_answers: give a stage, an executor, a storage and a folder\n";
    return 2;
  }
  try {
    gsst::tile_integer::print_answers(given[0], gsst::tile_integer::executor_of(given[1]),
                                      gsst::tile_integer::storage_of(given[2]), given[3]);
  } catch (const std::exception& error) {
    std::cerr << "ssb_answers: " << error.what() << '\n';
    return 1;
  }
  return 0;
}
