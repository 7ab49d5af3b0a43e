#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/format/tile_integer/parquet_column.hpp"
#include "common/stage/run_decode.hpp"
#include "common/stage/stage.hpp"
#include "reference_cpu/tile_integer/parquet_values.hpp"
#include "stages/tile_integer/parquet/parquet_file.hpp"
#include "stages/tile_integer/parquet/run_column.hpp"

// Decodes a column of a Parquet file to raw values: what tests hold to pyarrow.
namespace gsst::tile_integer {
namespace {

using format::tile_integer::ParquetColumn;
using reference::tile_integer::ParquetOutput;

struct Arguments {
  std::string file;
  std::string column;
  std::string executor = "cpu";
  std::string values;
  std::string levels;
};

std::vector<std::uint8_t> read_file(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  if (!file) throw std::runtime_error(name + ": cannot be opened");
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_file(const std::string& name, std::span<const std::uint8_t> bytes) {
  std::ofstream file(name, std::ios::binary);
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): bytes are written as they are.
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file) throw std::runtime_error(name + ": cannot be written");
}

ParquetOutput decode_by_kernels(stage::Executor executor, std::span<const std::uint8_t> file,
                                const ParquetColumn& column) {
  if (!stage::is_available(executor)) throw std::runtime_error("there is no GPU");
  const DecodedColumn decoded = run_column(executor, file, column);
  if (const auto& problem = decoded.outcome.problem) {
    throw format::tile_integer::ParquetError(problem->item, problem->field, problem->description);
  }
  return {.values = decoded.guarded_values, .levels = decoded.guarded_levels};
}

void run(const Arguments& arguments) {
  const std::vector<std::uint8_t> file = read_file(arguments.file);
  const ParquetFileColumn found = read_parquet_column(file, arguments.column);
  const ParquetColumn& column = found.column;
  const std::span<const std::uint8_t> pages = found.bytes(file);
  const ParquetOutput output =
      arguments.executor == "cpu"
          ? reference::tile_integer::decode_parquet(pages, column)
          : decode_by_kernels(arguments.executor == "gpu" ? stage::Executor::gpu : stage::Executor::simt,
                              pages, column);
  if (!arguments.values.empty()) write_file(arguments.values, output.values);
  if (!arguments.levels.empty()) write_file(arguments.levels, output.levels);
  const auto deltas = std::ranges::count(column.streams, format::tile_integer::ParquetStreamKind::delta,
                                         &format::tile_integer::ParquetStream::kind);
  const auto indices = std::ranges::count(column.streams, format::tile_integer::ParquetStreamKind::indices,
                                          &format::tile_integer::ParquetStream::kind);
  std::cout << "rows " << column.rows << ", values " << column.value_count << ", pages DELTA_BINARY_PACKED "
            << deltas << ", with indices " << indices
            << (found.decompressed.empty() ? "" : ", GZIP decompressed by zlib") << '\n';
}

int parse_and_run(int count, const char* const* words) {
  Arguments arguments;
  CLI::App app(
      "Decodes a column of integers, or of dictionary indices, of a Parquet file without compression or "
      "with GZIP, of which zlib decompresses the pages.");
  app.add_option("FILE", arguments.file, "The Parquet file")->required();
  app.add_option("COLUMN", arguments.column, "The column's name")->required();
  app.add_option("--device", arguments.executor,
                 "cpu: the oracle; simt: kernels on the CPU; gpu (default: cpu)")
      ->check(CLI::IsMember({"cpu", "simt", "gpu"}));
  app.add_option("--values", arguments.values, "Write the values that are not null there, little-endian");
  app.add_option("--levels", arguments.levels, "Write a byte for each row there: 1 where it has a value");
  CLI11_PARSE(app, count, words);
  try {
    run(arguments);
  } catch (const std::exception& error) {
    throw std::runtime_error(arguments.file + ": " + error.what());
  }
  return 0;
}

}  // namespace
}  // namespace gsst::tile_integer

int main(int count, char** words) {
  try {
    return gsst::tile_integer::parse_and_run(count, words);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "gsst_parquet: %s\n", error.what());
    return 1;
  }
}
