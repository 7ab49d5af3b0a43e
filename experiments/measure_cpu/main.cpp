// gsst_measure_cpu: measures on the CPU and writes rows of results as JSON.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "common/format/gsst/block.hpp"
#include "common/frame/frame.hpp"
#include "experiments/measure/shared/error.hpp"
#include "experiments/measure/shared/row.hpp"
#include "experiments/measure_cpu/codecs_command.hpp"
#include "experiments/measure_cpu/compress_command.hpp"
#include "experiments/measure_cpu/format_command.hpp"
#include "experiments/measure_cpu/lengths_command.hpp"
#include "experiments/measure_cpu/levels_command.hpp"
#include "experiments/measure_cpu/long_symbols.hpp"
#include "experiments/measure_cpu/ratio_command.hpp"
#include "experiments/measure_cpu/strings_command.hpp"
#include "experiments/measure_cpu/studied_works.hpp"
#include "experiments/measure_cpu/tables_command.hpp"
#include "experiments/measure_cpu/threads_command.hpp"
#include "experiments/measure_cpu/widths_command.hpp"
#include "reference_cpu/level.hpp"

namespace gsst::experiments {
namespace {

constexpr int exit_failure = 1;
constexpr int exit_usage = 2;

/// Far above any machine's cores; keeps a slip of the finger from starting millions of threads.
constexpr unsigned max_threads = 4096;

/// More of anything than a symbol table can hold.
constexpr unsigned no_limit = 256;

/// What every subcommand is given.
struct CommonOptions {
  std::filesystem::path input;
  Dataset dataset;
  std::filesystem::path output;
};

std::string check_sha256(const std::string& text) {
  const bool valid = text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
  return valid ? std::string() : "must be 64 lower-case hexadecimal digits";
}

void add_common_options(CLI::App& command, CommonOptions& options) {
  command.add_option("--input", options.input, "File to measure with")->required();
  command.add_option("--dataset", options.dataset.name, "Name of the data in the rows")->required();
  command.add_option("--dataset-sha256", options.dataset.sha256, "SHA-256 of the file, for the rows")
      ->required()
      ->check(check_sha256);
  command.add_option("--output", options.output, "JSON file to write the rows to")->required();
}

void add_repetitions(CLI::App& command, std::size_t& repetitions) {
  command.add_option("--repetitions", repetitions, "Times that each codec is timed")
      ->required()
      ->check(CLI::Range(std::size_t{1}, std::size_t{1'000'000}));
}

void add_level(CLI::App& command, unsigned& level) {
  command.add_option("--level", level, "Level of training and parsing")
      ->required()
      ->check(CLI::Range(reference::min_level, reference::max_level));
}

/// A list such as 1,2,4 whose values are 1 to `largest`.
template <typename Value>
void add_list(CLI::App& command, const std::string& name, std::vector<Value>& values, Value largest,
              const std::string& description) {
  command.add_option(name, values, description)
      ->required()
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::Range(Value{1}, largest));
}

/// Two lines, `compiler: GNU 12.2.0` and `flags: Release: -O3`: experiments/environment.py reads them.
std::string version_text() {
  return "compiler: " GSST_COMPILER "\nflags: " GSST_FLAGS;
}

void add_levels(CLI::App& command, const std::string& name, std::vector<unsigned>& levels, unsigned lowest,
                const std::string& description) {
  command.add_option(name, levels, description)
      ->required()
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::Range(lowest, reference::max_level));
}

void add_code_bits(CLI::App& command, std::vector<std::uint32_t>& code_bits) {
  command.add_option("--code-bits", code_bits, "Bits of a code, e.g. 8,10,12")
      ->required()
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember({8, 10, 12}));
}

int run(int argc, char** argv) {
  CLI::App app("Measures the CPU reference codec and CPU peers; every row is verified byte for byte.");
  app.require_subcommand(1);
  app.set_version_flag("--version", version_text(), "Prints the compiler and its flags");
  CommonOptions common;
  ThreadsOptions threads_options;
  RatioOptions ratio_options;
  CodecsOptions codecs_options;
  CompressionOptions compression_options;
  LevelsOptions levels_options;
  TablesOptions tables_options;
  WidthsOptions widths_options;
  LengthsOptions lengths_options;
  StringsOptions strings_options;
  FormatOptions format_options;
  std::vector<std::string> option_values;

  CLI::App& threads = *app.add_subcommand("threads", "Decompression throughput against threads (Fig B.1)");
  add_common_options(threads, common);
  threads.add_option("--blocks", threads_options.blocks, "Blocks that the input is cut into")
      ->required()
      ->check(CLI::Range(std::uint64_t{1}, format::max_block_count));
  add_list(threads, "--threads", threads_options.threads, max_threads, "Numbers of threads, e.g. 1,2,4");
  add_repetitions(threads, threads_options.repetitions);

  CLI::App& compress =
      *app.add_subcommand("compress", "Compression throughput against threads (GPU encoder paper 7.2)");
  add_common_options(compress, common);
  add_list(compress, "--threads", compression_options.threads, max_threads, "Numbers of threads, e.g. 1,2,4");
  add_repetitions(compress, compression_options.repetitions);

  CLI::App& ratio = *app.add_subcommand("ratio", "Compression ratio against blocks and splits (Fig 5.4)");
  add_common_options(ratio, common);
  add_list(ratio, "--block-bytes", ratio_options.block_bytes, format::max_block_bytes,
           "Uncompressed bytes per block, e.g. 1048576,4194304");
  add_list(ratio, "--splits", ratio_options.splits, format::max_split_count,
           "Numbers of splits per block, e.g. 32,64");

  CLI::App& widths = *app.add_subcommand("widths", "Compression ratio against blocks and widths of codes");
  add_common_options(widths, common);
  add_list(widths, "--block-bytes", widths_options.block_bytes, format::max_block_bytes,
           "Uncompressed bytes per block, e.g. 1048576,4194304");
  add_code_bits(widths, widths_options.code_bits);
  add_level(widths, widths_options.level);

  CLI::App& lengths = *app.add_subcommand("lengths", "Compression ratio against the longest symbol");
  add_common_options(lengths, common);
  lengths.add_option("--longest", lengths_options.longest, "Bytes of the longest symbol, e.g. 8,12,16")
      ->required()
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::Range(2u, longest_long_symbol));
  add_level(lengths, lengths_options.level);

  CLI::App& strings =
      *app.add_subcommand("strings", "Compression ratio of blocks and of each string by itself");
  add_common_options(strings, common);

  CLI::App& codecs = *app.add_subcommand("codecs", "Ratio and decompression throughput of codecs (Fig 2.2)");
  add_common_options(codecs, common);
  add_repetitions(codecs, codecs_options.repetitions);

  CLI::App& tables = *app.add_subcommand("tables", "Symbol tables under limits (GPU encoder paper 4.1, 7.1)");
  add_common_options(tables, common);
  tables.add_option("--block-bytes", tables_options.block_bytes, "Uncompressed bytes per block")
      ->required()
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{format::max_block_bytes}));
  add_list(tables, "--hash-entries", tables_options.hash_entries, no_limit,
           "Symbols of 3 and more bytes in a table; 256 is no limit");
  add_list(tables, "--match-rows", tables_options.match_rows, no_limit,
           "First bytes of two-byte symbols; 256 is no limit");
  add_list(tables, "--match-pairs", tables_options.match_pairs, no_limit,
           "Two-byte symbols with the same first byte; 256 is no limit");

  CLI::App& levels = *app.add_subcommand("levels", "Ratio and speed of each compression level");
  add_common_options(levels, common);
  add_levels(levels, "--levels", levels_options.levels, reference::min_level, "Levels of format blocks");
  add_levels(levels, "--tile-levels", levels_options.tile_levels, reference::first_dictionary_level,
             "Levels of format tiles, with both parses and each width");
  add_code_bits(levels, levels_options.code_bits);
  add_repetitions(levels, levels_options.repetitions);

  CLI::App& format_command =
      *app.add_subcommand("format", "Ratio and decompression throughput of the codec of any format");
  add_common_options(format_command, common);
  format_command.add_option("--format", format_options.format, "Name of the format")->required();
  add_list(format_command, "--block-bytes", format_options.block_bytes, format::max_block_bytes,
           "Uncompressed bytes per block, e.g. 1048576,4194304");
  format_command
      .add_option("--option", option_values, "An option of the format and its values, e.g. splits=32,64")
      ->allow_extra_args(false);
  add_repetitions(format_command, format_options.repetitions);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : exit_usage;
  }

  const auto measure = [&](auto works_of, auto& options) {
    options.input = common.input;
    // What a work's key does not say.
    std::size_t repetitions = 0;
    if constexpr (requires { options.repetitions; }) repetitions = options.repetitions;
    measure_works(works_of(options, common.dataset),
                  {{"study", app.get_subcommands().front()->get_name()},
                   {"dataset", common.dataset.name},
                   {"dataset_sha256", common.dataset.sha256},
                   {"repetitions", repetitions},
                   {"version", version_text()}},
                  common.output);
  };
  if (tables.parsed()) measure(tables_works, tables_options);
  if (compress.parsed()) measure(compression_works, compression_options);
  if (levels.parsed()) measure(levels_works, levels_options);
  if (threads.parsed()) measure(threads_works, threads_options);
  if (ratio.parsed()) measure(ratio_works, ratio_options);
  if (widths.parsed()) measure(widths_works, widths_options);
  if (lengths.parsed()) measure(lengths_works, lengths_options);
  if (strings.parsed()) measure(strings_works, strings_options);
  if (codecs.parsed()) measure(codecs_works, codecs_options);
  if (format_command.parsed()) {
    for (const std::string& text : option_values) {
      format_options.options.push_back(parse_option_values(text));
    }
    measure(format_works, format_options);
  }
  return 0;
}

}  // namespace
}  // namespace gsst::experiments

int main(int argc, char** argv) {
  try {
    return gsst::experiments::run(argc, argv);
  } catch (const gsst::experiments::InputError& error) {
    std::cerr << "gsst_measure_cpu: " << error.what() << "\n";
    return gsst::experiments::exit_usage;
  } catch (const std::exception& error) {
    std::cerr << "gsst_measure_cpu: " << error.what() << "\n";
    return gsst::experiments::exit_failure;
  }
}
