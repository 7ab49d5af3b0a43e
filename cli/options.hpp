#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "common/format/block_format.hpp"
#include "common/frame/checksum.hpp"
#include "reference_cpu/codec.hpp"

namespace gsst::cli {

enum class Operation { compress, decompress, test, list, list_stages };

/// Where compression and decompression run.
enum class Device {
  cpu,   ///< the reference codec, or a stage's code for the host
  simt,  ///< a stage's kernel on the CPU, to test its logic
  gpu,   ///< a stage's kernel on the GPU
};

/// Smallest block that --block-size accepts, in bytes: below it the header and the table outweigh the codes.
inline constexpr std::uint64_t min_block_bytes = 1024;
/// Most threads that may be asked for.
inline constexpr unsigned max_threads = 1024;

/// The command line, checked as far as it can be without looking at any file.
struct Options {
  Operation operation = Operation::compress;
  /// Paths, `-` for standard input. Empty for list_stages only.
  std::vector<std::string> inputs;
  /// -o, or `-` for -c: standard output. Without it the name follows from the input's.
  std::optional<std::string> output;
  bool replace = false;
  bool quiet = false;
  bool verbose = false;
  bool json = false;
  /// 0: one per available core.
  unsigned threads = 0;
  /// The first of those to choose from where `chooses_format`. Nothing: the default one.
  std::optional<format::BlockFormat> format;
  /// --format auto (cli/format_choice.hpp): the format follows from each input.
  bool chooses_format = false;
  Device device = Device::cpu;
  /// Id of the stage that compresses or decompresses; without it the default one of the format, on the CPU
  /// only where it runs in place of the codec.
  std::optional<std::string> stage;
  /// Where the costs of a kernel's accesses are written, for simt in a program that traces.
  std::optional<std::string> trace;
  /// Requests of the first warp that are written there one by one.
  std::size_t trace_requests = 0;
  /// Of a file of columns: the one to decode, and what is written for its nulls.
  std::optional<std::string> column;
  std::optional<std::int64_t> null_value;
  /// Bytes of memory that a stage's data takes at most, on the device and as much on the host.
  std::uint64_t stage_memory_bytes = std::uint64_t{2} << 30;
  /// --blocks and --block-size, of which at most one is given.
  std::optional<std::uint64_t> block_count;
  std::optional<std::uint64_t> block_bytes;
  /// What the format's codec lets one choose.
  reference::CodecOptions codec_options;
  std::optional<format::ChecksumKind> checksum_kind;
  /// -1 to -9.
  std::optional<unsigned> level;
};

/// What --help and --version answer: text for standard output.
struct Answer {
  std::string text;
};

/// Reads the arguments of main(). Throws CommandError with ExitCode::usage.
std::variant<Options, Answer> parse_options(int argument_count, const char* const* arguments);

/// The codec where no format is named.
const reference::Codec& default_codec();

/// The codec of --format, or the default one.
const reference::Codec& chosen_codec(const Options& options);

/// Whether any input's output goes to standard output.
bool writes_to_standard_output(const Options& options);

}  // namespace gsst::cli
