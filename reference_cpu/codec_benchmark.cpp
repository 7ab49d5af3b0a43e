// Single-thread throughput of the reference codec on DBText l_comment, and the time to train a symbol table.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <vector>

#include "reference_cpu/decoder.hpp"
#include "reference_cpu/encoder.hpp"
#include "reference_cpu/fast_decoder.hpp"
#include "reference_cpu/level.hpp"
#include "reference_cpu/optimal_encoder.hpp"
#include "reference_cpu/train.hpp"

namespace gsst::reference {
namespace {

using Bytes = std::vector<std::uint8_t>;

/// Where the column is: below GSST_DATA_DIR, else in the cache that the workflow fills.
std::optional<std::filesystem::path> column_path() {
  const char* const data_folder = std::getenv("GSST_DATA_DIR");
  std::vector<std::filesystem::path> folders;
  if (data_folder != nullptr) folders.emplace_back(data_folder);
  folders.emplace_back("data/cache");
  for (const std::filesystem::path& folder : folders) {
    const std::filesystem::path path = folder / "dbtext" / "l_comment";
    if (std::filesystem::is_regular_file(path)) return path;
  }
  return std::nullopt;
}

/// Empty if the column is not there.
const Bytes& column() {
  static const Bytes bytes = [] {
    const std::optional<std::filesystem::path> path = column_path();
    if (!path) return Bytes();
    std::ifstream stream(*path, std::ios::binary);
    return Bytes(std::istreambuf_iterator<char>(stream), {});
  }();
  return bytes;
}

/// Whether there is a column to measure with; if not, the benchmark says so.
bool has_column(benchmark::State& state) {
  if (!column().empty()) return true;
  state.SkipWithError(
      "no DBText l_comment: set GSST_DATA_DIR to a folder with dbtext/l_comment, or run from the "
      "repository root after the workflow filled data/cache");
  return false;
}

/// Reports uncompressed bytes per second, shown in powers of ten (G/s = 10^9 bytes per second).
void report_throughput(benchmark::State& state) {
  state.counters["throughput"] =
      benchmark::Counter(static_cast<double>(column().size()), benchmark::Counter::kIsIterationInvariantRate,
                         benchmark::Counter::kIs1000);
}

Bytes encoded_column(const format::SymbolTable& table) {
  Bytes codes(Encoder::max_encoded_bytes(column().size()));
  codes.resize(Encoder(table).encode(column(), codes));
  return codes;
}

template <auto Decoder>
void measure_decoder(benchmark::State& state) {
  if (!has_column(state)) return;
  const format::SymbolTable table = train_symbol_table(column());
  const Bytes codes = encoded_column(table);
  Bytes output(column().size());
  for ([[maybe_unused]] auto iteration : state) {
    benchmark::DoNotOptimize(Decoder(table, codes, output));
    benchmark::ClobberMemory();
  }
  if (output != column()) {
    state.SkipWithError("the decoder gave other bytes than the input's");
    return;
  }
  report_throughput(state);
}

void decode_readable_benchmark(benchmark::State& state) {
  measure_decoder<decode>(state);
}
BENCHMARK(decode_readable_benchmark)->Name("decode/readable");

void decode_fast_benchmark(benchmark::State& state) {
  measure_decoder<decode_fast>(state);
}
BENCHMARK(decode_fast_benchmark)->Name("decode/fast");

// Throughput and ratio, if the codes decode to the column.
void report_encoding(benchmark::State& state, const format::SymbolTable& table,
                     std::span<const std::uint8_t> codes) {
  Bytes decoded(column().size());
  if (decode(table, codes, decoded) != DecodeProblem::none || decoded != column()) {
    state.SkipWithError("the codes decode to other bytes than the input's");
    return;
  }
  report_throughput(state);
  state.counters["ratio"] = static_cast<double>(column().size()) / static_cast<double>(codes.size());
}

/// The tables in which the encoder finds symbols are made within the time.
template <auto EncodeFunction>
void measure_encoder(benchmark::State& state) {
  if (!has_column(state)) return;
  const format::SymbolTable table = train_symbol_table(column());
  Bytes codes(Encoder::max_encoded_bytes(column().size()));
  std::size_t code_bytes = 0;
  for ([[maybe_unused]] auto iteration : state) {
    const Encoder encoder(table);
    code_bytes = (encoder.*EncodeFunction)(column(), codes);
    benchmark::ClobberMemory();
  }
  report_encoding(state, table, std::span(codes).first(code_bytes));
}

void encode_readable_benchmark(benchmark::State& state) {
  measure_encoder<&Encoder::encode>(state);
}
BENCHMARK(encode_readable_benchmark)->Name("encode/readable");

void encode_fast_benchmark(benchmark::State& state) {
  measure_encoder<&Encoder::encode_fast>(state);
}
BENCHMARK(encode_fast_benchmark)->Name("encode/fast");

/// The parse of level 2 and up; the automaton is made within the time.
void encode_optimal_benchmark(benchmark::State& state) {
  if (!has_column(state)) return;
  const format::SymbolTable table = train_for_level(column(), static_cast<unsigned>(state.range(0)));
  Bytes codes(Encoder::max_encoded_bytes(column().size()));
  std::size_t code_bytes = 0;
  for ([[maybe_unused]] auto iteration : state) {
    code_bytes = OptimalEncoder(table).encode(column(), codes);
    benchmark::ClobberMemory();
  }
  report_encoding(state, table, std::span(codes).first(code_bytes));
}
BENCHMARK(encode_optimal_benchmark)->Name("encode/optimal")->ArgName("level")->Arg(2)->Arg(3)->Arg(9);

void train_level_benchmark(benchmark::State& state) {
  if (!has_column(state)) return;
  for ([[maybe_unused]] auto iteration : state)
    benchmark::DoNotOptimize(train_for_level(column(), static_cast<unsigned>(state.range(0))));
}
BENCHMARK(train_level_benchmark)
    ->Name("train")
    ->ArgName("level")
    ->DenseRange(first_dictionary_level, max_level)
    ->Unit(benchmark::kMillisecond);

void train_wide_benchmark(benchmark::State& state) {
  if (!has_column(state)) return;
  const CodeWidth width{static_cast<unsigned>(state.range(0))};
  for ([[maybe_unused]] auto iteration : state)
    benchmark::DoNotOptimize(
        train_dictionary_for_level(column(), width, static_cast<unsigned>(state.range(1))));
}
BENCHMARK(train_wide_benchmark)
    ->Name("train")
    ->ArgNames({"bits", "level"})
    ->ArgsProduct({{10, 12}, {3, 9}})
    ->Unit(benchmark::kMillisecond);

void train_benchmark(benchmark::State& state) {
  if (!has_column(state)) return;
  for ([[maybe_unused]] auto iteration : state) benchmark::DoNotOptimize(train_symbol_table(column()));
}
BENCHMARK(train_benchmark)->Name("train")->Unit(benchmark::kMillisecond);

/// Debian's library reports its own build type, not this program's.
const bool build_type_is_reported = [] {
  benchmark::AddCustomContext("gsst_build_type", GSST_BUILD_TYPE);
  return true;
}();

}  // namespace
}  // namespace gsst::reference
