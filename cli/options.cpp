#include "cli/options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "cli/command_error.hpp"
#include "cli/file_descriptor.hpp"
#include "cli/format_choice.hpp"
#include "cli/list_text.hpp"
#include "cli/size_text.hpp"
#include "common/columns/column_files.hpp"
#include "common/frame/frame.hpp"
#include "common/simt/access_trace.hpp"
#include "common/stage/registry.hpp"
#include "common/stage/run_decode.hpp"
#include "cpu/default_format.hpp"
#include "reference_cpu/codec.hpp"

namespace gsst::cli {
namespace {

// Lines of --help are at most this long after an option's name.
constexpr std::size_t help_width = 70;

// Which names files get.
std::string output_names() {
  const std::string_view usual = default_codec().traits().suffix;
  std::string text = "FILE becomes FILE" + std::string(usual);
  // On a separate line.
  std::string before = ",\nwith --format ";
  for (const reference::Codec* const codec : reference::registered_codecs()) {
    if (codec->traits().suffix == usual) continue;
    text += before + std::string(codec->name()) + " FILE" + std::string(codec->traits().suffix);
    before = ", with ";
  }
  return text;
}

std::string description() {
  return "Compresses text so that a GPU can decompress it in parallel, and decompresses it again.\n" +
         output_names() +
         ".\n"
         "Input files are kept.\n"
         "Without FILE, or if FILE is -, reads standard input and writes standard output.\n";
}

constexpr const char* footer =
    "Sizes: K, M and G, also written KiB, MiB and GiB, mean 2^10, 2^20 and 2^30 bytes.\n"
    "\n"
    "Examples:\n"
    "  gsst comments.txt                 write comments.txt.gsst\n"
    "  gsst -d comments.txt.gsst         write comments.txt again\n"
    "  gsst -d -c comments.txt.gsst      decompress to standard output\n"
    "  gsst --format coalesced --block-size 1M --splits 256 comments.txt\n"
    "  cat *.txt | gsst > all.gsst       a pipe of any length, in bounded memory\n"
    "  gsst -l --json *.gsst             what the files hold, for programs\n"
    "  gsst -d --column price -o price.bin orders.orc\n"
    "                                    the values of a column of an ORC file\n"
    "  gsst -d --device gpu lines.gz     a gzip file, on a GPU; best with the small\n"
    "                                    members of --format gzip --members bgzf\n"
    "  gsst -d --format zlib a.bin -o a  a zlib file that is not named *.zz\n"
    "  gsst grep -n 'final.*deposits' comments.txt.gsst\n"
    "                                    lines with a match, as grep prints them;\n"
    "                                    gsst grep --help says more\n"
    "  gsst column --help                columns of Parquet and Arrow files, with the\n"
    "                                    Python package of gsst\n"
    "\n"
    "Exit codes:\n"
    "  0  success\n"
    "  1  an input is damaged, or is not a compressed file\n"
    "  2  the command line requests something that cannot be done\n"
    "  3  a file cannot be read or written, or exists already; memory ran out\n"
    "With several files a failure does not stop the others; the code is that of the first failure.";

CommandError usage_error(const std::string& message) {
  return CommandError(ExitCode::usage, message);
}

std::string with_dashes(std::string_view option) {
  return "--" + std::string(option);
}

// `text` with a line end in place of the last space that lets a line fit help_width.
std::string wrap(const std::string& text) {
  std::string wrapped;
  std::size_t line_bytes = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::size_t word_bytes = end - begin;
    if (line_bytes != 0) {
      const bool fits = line_bytes + 1 + word_bytes <= help_width;
      wrapped += fits ? " " : "\n";
      line_bytes = fits ? line_bytes + 1 : 0;
    }
    wrapped += text.substr(begin, word_bytes);
    line_bytes += word_bytes;
    begin = end + 1;
  }
  return wrapped;
}

std::vector<std::string> names_of(const std::vector<const reference::Codec*>& codecs) {
  std::vector<std::string> names;
  names.reserve(codecs.size());
  for (const reference::Codec* const codec : codecs) names.emplace_back(codec->name());
  return names;
}

// Frames first, then formats with files of their own.
std::string format_help() {
  std::string frames;
  std::string others;
  std::vector<std::string> suffixes;
  for (const reference::Codec* const codec : reference::registered_codecs()) {
    const std::string name(codec->name());
    if (codec->is_framed()) {
      frames += (frames.empty() ? "" : ", ") + name + (codec == &default_codec() ? " (default)" : "");
    } else {
      others += ", or " + name + ": files of " + std::string(codec->traits().tool);
      if (codec->traits().magic.empty()) suffixes.push_back("*" + std::string(codec->traits().suffix));
    }
  }
  std::string text = frames + others + ".";
  const std::vector<std::string> of_values = names_of(formats_to_choose_from());
  if (!of_values.empty()) {
    text += " " + std::string(automatic_format) + ": the one of " + list_text(of_values, "and") +
            " that makes the first " + std::to_string(choice_bytes >> 20) + "M of an input smallest.";
  }
  if (!suffixes.empty()) {
    text += " With -d, -t and -l only needed for those not named " + list_text(suffixes, "or");
  }
  return wrap(text);
}

// The options of all codecs, each name once.
std::vector<reference::CodecOption> codec_options() {
  std::vector<reference::CodecOption> options;
  for (const reference::Codec* const codec : reference::registered_codecs()) {
    for (const reference::CodecOption& option : codec->traits().options) {
      if (std::ranges::find(options, option.name, &reference::CodecOption::name) != options.end()) continue;
      options.push_back(option);
    }
  }
  return options;
}

// What the parser fills and Options does not hold.
struct Arguments {
  bool decompress = false;
  bool test = false;
  bool list = false;
  bool list_stages = false;
  bool to_standard_output = false;
  bool keep = false;
  std::string format;
  std::string checksum;
  std::string level;
  std::string block_size;
  std::string device;
  std::string stage;
  std::string memory;
};

// One blank line between groups, where the library leaves two.
class HelpFormatter : public CLI::Formatter {
public:
  std::string make_group(std::string group, bool is_positional,
                         std::vector<const CLI::Option*> group_options) const override {
    std::string text = group + ":\n";
    for (const CLI::Option* option : group_options) text += make_option(option, is_positional);
    return text;
  }
  // The levels are one option with nine names.
  std::string make_option_name(const CLI::Option* option, bool is_positional) const override {
    return option->check_sname("9") ? "-1 ... -9" : CLI::Formatter::make_option_name(option, is_positional);
  }
  std::string make_positionals(const CLI::App* /*app*/) const override { return "\n"; }
};

void add_operations(CLI::App& app, Arguments& arguments) {
  const char* group = "Operation (compress if none is given)";
  app.add_flag("-d,--decompress", arguments.decompress, "Decompress")->group(group);
  app.add_flag("-t,--test", arguments.test, "Decompress and check, write nothing")->group(group);
  app.add_flag("-l,--list", arguments.list, "Show format, sizes and ratio of compressed files")->group(group);
  app.add_flag("--list-stages", arguments.list_stages, "Show the GPU stages of this build")->group(group);
}

void add_files(CLI::App& app, Options& options, Arguments& arguments) {
  const char* group = "Files";
  app.add_option("FILE", options.inputs);
  app.add_option("-o,--output", options.output, "Write to this file; - is standard output")
      ->type_name("FILE")
      ->group(group);
  app.add_flag("-c,--stdout", arguments.to_standard_output, "Write to standard output")->group(group);
  app.add_flag("-f,--force", options.replace, "Replace existing files; read from and write to a terminal")
      ->group(group);
  app.add_flag("-k,--keep", arguments.keep, "Keep the input files, which is what happens anyway")
      ->group(group);
}

void add_codec_option(CLI::App& app, Options& options, const reference::CodecOption& option,
                      const char* group) {
  const std::string name(option.name);
  const std::string flag = with_dashes(option.name);
  const std::string help(option.help);
  if (!option.names.empty()) {
    const auto set = [&options, name, names = option.names](const std::string& value) {
      options.codec_options[name] =
          static_cast<std::uint64_t>(std::ranges::find(names, value) - names.begin());
    };
    app.add_option_function<std::string>(flag, set, help)
        ->type_name("NAME")
        ->check(CLI::IsMember(std::vector<std::string>(option.names.begin(), option.names.end())))
        ->group(group);
    return;
  }
  const auto set = [&options, name](std::uint64_t value) { options.codec_options[name] = value; };
  CLI::Option* const added =
      app.add_option_function<std::uint64_t>(flag, set, help)->option_text("N")->group(group);
  if (option.values.empty()) {
    added->check(CLI::Range(option.least, option.most));
  } else {
    added->check(CLI::IsMember(std::vector<std::uint64_t>(option.values.begin(), option.values.end())));
  }
}

void add_compression(CLI::App& app, Options& options, Arguments& arguments) {
  const char* group = "Format";
  app.add_option("--format", arguments.format, format_help())->type_name("NAME")->group(group);
  app.add_flag("-1{1},-2{2},-3{3},-4{4},-5{5},-6{6},-7{7},-8{8},-9{9}", arguments.level,
               "Level: from fast (-1, default) to small. From -2 on the parse is optimal,\n"
               "from -3 on tables are trained longer: seconds a block with -9.\n"
               "Decompression is the same at every level, and equally fast. A stage\n"
               "parses greedily, and takes levels above -1 for format tiles only.\n"
               "For deflate, gzip and zlib they are zlib's levels")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
      ->group(group);
  app.add_option("--block-size", arguments.block_size,
                 "Input bytes per block, 1K to 1G (default 4M; for format tiles at levels\n"
                 "1 and 2 256K, or 1M with wide codes, where the text changes within 4M;\n"
                 "128K for byte_rle, orc_rle_v1, orc_rle_v2 and deflate; 1G for zlib,\n"
                 "whose files are one block; 65280, which is the most, with --members\n"
                 "bgzf). Memory stays below 512 MiB for blocks of up to 64M and grows with\n"
                 "larger ones")
      ->type_name("SIZE")
      ->group(group);
  app.add_option("--blocks", options.block_count, "Cut the input into N blocks instead; not for a pipe")
      ->option_text("N")
      ->check(CLI::Range(std::uint64_t{1}, format::max_block_count))
      ->group(group);
  for (const reference::CodecOption& option : codec_options()) add_codec_option(app, options, option, group);
  app.add_option("--checksum", arguments.checksum,
                 "xxh64: one for each block, or xxh64-tree: of pieces of a block, which\n"
                 "a GPU compares concurrently (default: xxh64-tree for format tiles at\n"
                 "levels 1 and 2 and for stages, else xxh64); for frames only")
      ->type_name("NAME")
      ->check(CLI::IsMember(std::vector<std::string>{"xxh64", "xxh64-tree"}))
      ->group(group);
}

void add_execution(CLI::App& app, Options& options, Arguments& arguments) {
  const char* group = "Execution";
  app.add_option("-T,--threads", options.threads, "Worker threads; 0 (default) is one per core")
      ->option_text("N")
      ->check(CLI::Range(0U, max_threads))
      ->group(group);
  app.add_option("--device", arguments.device,
                 "Where the work runs: cpu (default without --stage), gpu (default with it),\n"
                 "or simt: a GPU kernel on the CPU, slow, to test its logic. A long file\n"
                 "is decompressed on all GPUs that CUDA_VISIBLE_DEVICES leaves")
      ->type_name("NAME")
      ->group(group);
  app.add_option("--stage", arguments.stage,
                 "Work with this stage of --list-stages; without it\n"
                 "the default one of the format. A stage that does not write the\n"
                 "default format writes its own where no --format is given")
      ->type_name("ID")
      ->group(group);
  app.add_option("--memory", arguments.memory,
                 "Limit for the memory of a stage's data on each device, and the same on\n"
                 "the host (default 2G). Short files take less; long ones take only\n"
                 "enough to keep the device busy")
      ->type_name("SIZE")
      ->group(group);
  app.add_option("--trace", options.trace,
                 "With --device simt: write what the kernel's accesses cost on a GPU, by\n"
                 "a model, to FILE as JSON; in the programs of `make trace` only")
      ->type_name("FILE")
      ->group(group);
  app.add_option("--trace-requests", options.trace_requests,
                 "Also write the first N requests of the first warp to that file, one by\n"
                 "one, with each lane's address (default 0)")
      ->type_name("N")
      ->group(group);
}

void add_columns(CLI::App& app, Options& options) {
  std::string kinds;
  for (const columns::ColumnFiles& files : columns::registered_column_files()) {
    kinds += (kinds.empty() ? "" : ", ") + std::string(files.name);
  }
  const char* group = "Files of columns, with -d and -t";
  app.add_option("--column", options.column,
                 wrap("Decode this column's values, little-endian. Files that this build reads: " +
                      (kinds.empty() ? "none" : kinds)))
      ->type_name("NAME")
      ->group(group);
  app.add_option("--null", options.null_value, "Write N for each null; without it a null is an error")
      ->option_text("N")
      ->group(group);
}

void add_messages(CLI::App& app, Options& options) {
  const char* group = "Messages";
  app.add_flag("-q,--quiet", options.quiet, "Errors only")->group(group);
  app.add_flag("-v,--verbose", options.verbose, "Say more about each file")->group(group);
  app.add_flag("--json", options.json,
               "Results as a JSON list, one entry per file, on standard output;\n"
               "on standard error if standard output takes the data")
      ->group(group);
  app.set_help_flag("-h,--help", "Show this text")->group(group);
  app.set_version_flag("-V,--version", "gsst " GSST_VERSION, "Show the version")->group(group);
}

// At most one of `choices` (name, whether it was given) can be meant.
void check_at_most_one(std::initializer_list<std::pair<const char*, bool>> choices) {
  std::string given;
  for (const auto& [name, is_given] : choices) {
    if (!is_given) continue;
    if (!given.empty()) throw usage_error(given + " and " + name + " exclude each other");
    given = name;
  }
}

void check_choices(const Options& options, const Arguments& arguments) {
  check_at_most_one({{"-d", arguments.decompress},
                     {"-t", arguments.test},
                     {"-l", arguments.list},
                     {"--list-stages", arguments.list_stages}});
  check_at_most_one({{"-o", options.output.has_value()}, {"-c", arguments.to_standard_output}});
  check_at_most_one(
      {{"--blocks", options.block_count.has_value()}, {"--block-size", !arguments.block_size.empty()}});
  check_at_most_one({{"-q", options.quiet}, {"-v", options.verbose}});
}

Operation operation_of(const Arguments& arguments) {
  if (arguments.decompress) return Operation::decompress;
  if (arguments.test) return Operation::test;
  if (arguments.list) return Operation::list;
  if (arguments.list_stages) return Operation::list_stages;
  return Operation::compress;
}

std::string operation_name(Operation operation) {
  switch (operation) {
    case Operation::compress:
      return "compression";
    case Operation::decompress:
      return "-d";
    case Operation::test:
      return "-t";
    case Operation::list:
      return "-l";
    case Operation::list_stages:
      return "--list-stages";
  }
  return {};
}

// `name` is empty where none is given.
Device parse_device(const std::string& name, bool with_stage) {
  if (name == "cpu" || (name.empty() && !with_stage)) return Device::cpu;
  if (name == "simt") return Device::simt;
  if (name != "gpu" && !name.empty())
    throw usage_error("--device: '" + name + "' is none of cpu, simt and gpu");
  if (!stage::is_available(stage::Executor::gpu)) {
    throw usage_error(
        (name.empty() ? "--stage" : "--device gpu") +
        std::string(": there is no GPU here, or this build has no CUDA code; --device simt runs a "
                    "stage on the CPU"));
  }
  return Device::gpu;
}

// Compression needs a stage that encodes, the other operations one that decodes.
void check_stage(const std::string& id, Operation operation) {
  const bool decodes = stage::find_stage(id, stage::Operation::decode) != nullptr;
  const bool encodes = stage::find_stage(id, stage::Operation::encode) != nullptr;
  if (operation == Operation::compress ? encodes : decodes) return;
  if (!decodes && !encodes) {
    if (stage::find_stage(id, stage::Operation::ranges) != nullptr) {
      throw usage_error("--stage: " + id +
                        " decompresses ranges, which the library does and not this command");
    }
    if (stage::find_stage(id, stage::Operation::query) != nullptr) {
      throw usage_error("--stage: " + id + " answers queries, which this command does not");
    }
    throw usage_error("--stage: there is no stage '" + id + "'; --list-stages shows them");
  }
  throw usage_error("--stage: " + id + (decodes ? " decompresses" : " compresses") + "; this is " +
                    operation_name(operation));
}

std::uint64_t parse_memory(const std::string& text, Device device) {
  const std::optional<std::uint64_t> bytes = parse_size(text);
  if (!bytes) {
    throw usage_error("--memory: '" + text + "' is no size; write it like 536870912, 512M or 2GiB");
  }
  if (device == Device::cpu) throw usage_error("--memory: is for --device gpu and simt");
  return *bytes;
}

void check_trace(const Options& options) {
  if (options.device != Device::simt)
    throw usage_error("--trace: needs --device simt, which runs the kernels");
  if (!simt::can_trace()) {
    throw usage_error(
        "--trace: this build does not follow its kernels' accesses; `make trace STAGE=<id>` builds\n"
        "build/traces/trace_<series>_<stage>, this command with one stage, which does");
  }
}

void check_execution(const Options& options) {
  const bool works = options.operation == Operation::compress || options.operation == Operation::decompress ||
                     options.operation == Operation::test;
  if (!works && options.stage) {
    throw usage_error("--stage: " + operation_name(options.operation) + " has no stage");
  }
  if (!works && options.device != Device::cpu) {
    throw usage_error("--device: " + operation_name(options.operation) + " runs on the CPU");
  }
  if (options.stage) check_stage(*options.stage, options.operation);
  if (options.trace) check_trace(options);
  if (!options.trace && options.trace_requests != 0) throw usage_error("--trace-requests: needs --trace");
}

// Where no --format is given: that of the stage, if it does not write the default one.
void set_format_of_stage(Options& options) {
  if (options.operation != Operation::compress || options.format || !options.stage) return;
  const stage::RegisteredStage& stage = *stage::find_stage(*options.stage, stage::Operation::encode);
  if (!stage::handles_format(stage, cpu::default_format)) options.format = stage.description.format;
}

void set_format(const std::string& name, Options& options) {
  for (const reference::Codec* const codec : reference::registered_codecs()) {
    if (codec->name() != name) continue;
    options.format = codec->traits().format;
    return;
  }
  const std::vector<const reference::Codec*> of_values = formats_to_choose_from();
  if (name == automatic_format && !of_values.empty()) {
    if (options.operation != Operation::compress) {
      throw usage_error("--format auto is for compression; " + operation_name(options.operation) +
                        " finds the format in the file");
    }
    options.format = of_values.front()->traits().format;
    options.chooses_format = true;
    return;
  }
  std::vector<std::string> names = names_of(reference::registered_codecs());
  if (!of_values.empty()) names.emplace_back(automatic_format);
  throw usage_error("--format: '" + name + "' is none of " + list_text(names, "and"));
}

// The names of the codecs that have the option.
std::vector<std::string> formats_with(std::string_view option) {
  std::vector<std::string> names;
  for (const reference::Codec* const codec : reference::registered_codecs()) {
    if (codec->has_option(option)) names.emplace_back(codec->name());
  }
  return names;
}

// The codec does not have the option. Those that the same formats have are named with it.
CommandError no_such_option(std::string_view option, bool is_format_given) {
  const std::vector<std::string> formats = formats_with(option);
  std::vector<std::string> names;
  for (const reference::CodecOption& other : codec_options()) {
    if (formats_with(other.name) == formats) names.push_back(with_dashes(other.name));
  }
  return usage_error(list_text(names, "and") + ": only format" + (formats.size() == 1 ? " " : "s ") +
                     list_text(formats, "and") + (formats.size() == 1 ? " takes " : " take ") +
                     (names.size() == 1 ? "it" : "them") +
                     (is_format_given ? ""
                                      : "; name " + std::string(formats.size() == 1 ? "it" : "one") +
                                            " with --format (the default is " +
                                            std::string(default_codec().name()) + ")"));
}

void check_codec_options(const Options& options, const reference::Codec& codec) {
  for (const reference::CodecOption& option : codec_options()) {
    const bool is_given = options.codec_options.contains(option.name);
    if (is_given && !codec.has_option(option.name))
      throw no_such_option(option.name, options.format.has_value());
  }
  try {
    codec.check({.options = options.codec_options});
  } catch (const std::invalid_argument& error) {
    throw usage_error(error.what());
  }
}

void check_only_for_compression(const Options& options) {
  if (options.block_count || options.block_bytes || !options.codec_options.empty() || options.checksum_kind) {
    std::vector<std::string> names = {"--blocks", "--block-size"};
    for (const reference::CodecOption& option : codec_options()) names.push_back(with_dashes(option.name));
    names.emplace_back("--checksum");
    throw usage_error(list_text(names, "and") + " are for compression; " + operation_name(options.operation) +
                      " finds them in the file");
  }
  if (options.level) {
    throw usage_error("-1 to -9 are for compression; " + operation_name(options.operation) +
                      " takes files of every level");
  }
}

void check_compression_options(const Options& options) {
  if (options.operation != Operation::compress) {
    check_only_for_compression(options);
    return;
  }
  const reference::Codec& codec = chosen_codec(options);
  const std::string format = "format " + std::string(codec.name());
  if (options.level && *options.level > codec.traits().max_level) {
    throw usage_error("-" + std::to_string(*options.level) + ": " + format +
                      (codec.traits().max_level == 0
                           ? " has no levels"
                           : " has levels up to -" + std::to_string(codec.traits().max_level)));
  }
  const std::uint64_t limit = codec.traits().max_block_bytes;
  if (options.block_bytes && (*options.block_bytes < min_block_bytes || *options.block_bytes > limit)) {
    throw usage_error("--block-size: " + std::to_string(*options.block_bytes) + " bytes are not between " +
                      std::to_string(min_block_bytes) + " and " + std::to_string(limit) +
                      (limit == format::max_block_bytes ? "" : ", the range of " + format));
  }
  check_codec_options(options, codec);
  if (options.checksum_kind && !codec.is_framed())
    throw usage_error("--checksum: " + format + " has no checksums");
}

void check_column(const Options& options) {
  if (options.null_value && !options.column) throw usage_error("--null: is for --column");
  if (!options.column) return;
  if (options.operation != Operation::decompress && options.operation != Operation::test) {
    throw usage_error("--column: is for -d and -t; this is " + operation_name(options.operation));
  }
  if (options.format) throw usage_error("--format and --column exclude each other");
  if (options.stage) throw usage_error("--stage and --column exclude each other");
  if (options.operation == Operation::decompress && !options.output) {
    throw usage_error("--column: the output needs a name: add -o FILE or -c");
  }
}

void check_files(const Options& options) {
  const bool writes_output =
      options.operation == Operation::compress || options.operation == Operation::decompress;
  if (options.output && !writes_output) {
    throw usage_error("-o and -c: " + operation_name(options.operation) + " writes no file");
  }
  if (options.operation == Operation::list_stages && !options.inputs.empty()) {
    throw usage_error("--list-stages takes no FILE");
  }
  if (options.output && *options.output != standard_stream_argument && options.inputs.size() > 1) {
    throw usage_error("-o names one output, and there are " + std::to_string(options.inputs.size()) +
                      " inputs");
  }
  const auto standard_outputs =
      options.output ? static_cast<std::ptrdiff_t>(options.inputs.size())
                     : std::count(options.inputs.begin(), options.inputs.end(), standard_stream_argument);
  if (options.operation == Operation::compress && chosen_codec(options).is_framed() && standard_outputs > 1) {
    throw usage_error("standard output takes one compressed file only: a file holds one frame");
  }
}

}  // namespace

std::variant<Options, Answer> parse_options(int argument_count, const char* const* argument_values) {
  Options options;
  Arguments arguments;
  CLI::App app(description(), "gsst");
  app.footer(footer);
  app.formatter(std::make_shared<HelpFormatter>());
  app.get_formatter()->column_width(26);
  add_operations(app, arguments);
  add_files(app, options, arguments);
  add_compression(app, options, arguments);
  add_execution(app, options, arguments);
  add_columns(app, options);
  add_messages(app, options);
  try {
    app.parse(argument_count, argument_values);
  } catch (const CLI::CallForHelp&) {
    return Answer{app.help()};
  } catch (const CLI::CallForVersion& version) {
    return Answer{std::string(version.what()) + "\n"};
  } catch (const CLI::ParseError& error) {
    throw usage_error(std::string(error.what()) + " (gsst --help lists the options)");
  }

  check_choices(options, arguments);
  options.operation = operation_of(arguments);
  if (!arguments.format.empty()) set_format(arguments.format, options);
  if (!arguments.checksum.empty()) {
    options.checksum_kind = arguments.checksum == format::checksum_kind_name(format::ChecksumKind::xxh64_tree)
                                ? format::ChecksumKind::xxh64_tree
                                : format::ChecksumKind::xxh64;
  }
  // One digit: the names of the option are the levels.
  if (!arguments.level.empty()) options.level = static_cast<unsigned>(arguments.level.front() - '0');
  if (!arguments.block_size.empty()) {
    options.block_bytes = parse_size(arguments.block_size);
    if (!options.block_bytes) {
      throw usage_error("--block-size: '" + arguments.block_size +
                        "' is no size; write it like 65536, 64K or 4MiB");
    }
  }
  if (arguments.to_standard_output) options.output = std::string(standard_stream_argument);
  if (!arguments.stage.empty()) options.stage = arguments.stage;
  options.device = parse_device(arguments.device, options.stage.has_value());
  if (!arguments.memory.empty()) options.stage_memory_bytes = parse_memory(arguments.memory, options.device);
  check_execution(options);
  set_format_of_stage(options);
  check_compression_options(options);
  check_column(options);
  check_files(options);
  if (options.inputs.empty() && options.operation != Operation::list_stages) {
    options.inputs.emplace_back(standard_stream_argument);
  }
  return options;
}

const reference::Codec& default_codec() {
  return reference::codec_of(cpu::default_format);
}

const reference::Codec& chosen_codec(const Options& options) {
  return options.format ? reference::codec_of(*options.format) : default_codec();
}

bool writes_to_standard_output(const Options& options) {
  if (options.operation != Operation::compress && options.operation != Operation::decompress) return false;
  if (options.output) return *options.output == standard_stream_argument;
  return std::find(options.inputs.begin(), options.inputs.end(), standard_stream_argument) !=
         options.inputs.end();
}

}  // namespace gsst::cli
