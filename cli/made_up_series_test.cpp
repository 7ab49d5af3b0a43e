#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "cli/command_error.hpp"
#include "cli/compress_command.hpp"
#include "cli/decompress_command.hpp"
#include "cli/list_command.hpp"
#include "cli/options.hpp"
#include "common/format/error.hpp"
#include "common/format/expect_format_error.hpp"
#include "common/format/formats.hpp"
#include "common/frame/checksum.hpp"
#include "common/frame/frame_reader.hpp"
#include "common/frame/payload_checker.hpp"
#include "common/pipeline/batch_reader.hpp"
#include "common/pipeline/memory_limit.hpp"
#include "common/stage/block_statuses.hpp"
#include "common/stage/encode_plans.hpp"
#include "common/stage/ranges.hpp"
#include "common/stage/registry.hpp"
#include "reference_cpu/codec.hpp"

// A series that only this program has: its tables of formats and codecs take the place of those of the build,
// and a stage registers itself. Nothing but them names the series, and its format goes through frame, reader,
// pipeline and command.
namespace gsst {

using Bytes = std::vector<std::uint8_t>;

// Blocks of runs: pairs of a count and a byte. A block that is the same as an earlier one says how far it is.
namespace format {

constexpr BlockFormat runs_format{77};
constexpr BlockLayout layout_of_runs{1};
constexpr BlockLayout layout_of_same{3};
constexpr std::uint32_t trait_of_same = 1U << 4;

namespace {

Bytes decode_runs(std::span<const std::uint8_t> payload) {
  Bytes output;
  for (std::size_t i = 0; i + 1 < payload.size(); i += 2)
    output.insert(output.end(), payload[i], payload[i + 1]);
  return output;
}

class PassOfRuns final : public PayloadPass {
public:
  CheckedPayload check(std::span<const std::uint8_t> payload, const BlockExpectation& expected,
                       std::uint64_t block) override {
    if (expected.layout == layout_of_same) {
      const std::uint64_t distance = payload.front();
      if (distance == 0 || !blocks_.contains(block - distance))
        throw FormatError(block, "distance", "is wrong");
      return {.traits = trait_of_same, .holder = block - distance, .part = blocks_[block - distance]};
    }
    if (decode_runs(payload).size() != expected.uncompressed_bytes) {
      throw FormatError(block, "runs", "give other bytes than stated");
    }
    blocks_[block] = std::make_shared<const Bytes>(payload.begin(), payload.end());
    return {.traits = 0, .holder = block, .part = blocks_[block]};
  }

private:
  std::map<std::uint64_t, PayloadPart> blocks_;
};

class RunRules final : public PayloadRules {
public:
  constexpr RunRules()
      : PayloadRules({.max_split_count = 1,
                      .layouts = layouts,
                      .payload_alignment = 8,
                      .max_bytes_per_code_byte = 128,
                      .all_traits = trait_of_same}) {}
  std::uint64_t max_payload_bytes(std::uint32_t, std::uint64_t uncompressed_bytes) const override {
    return 8 + 2 * uncompressed_bytes;
  }
  std::uint64_t usual_payload_bytes(std::uint32_t, std::uint64_t uncompressed_bytes) const override {
    return 8 + uncompressed_bytes;
  }
  std::unique_ptr<PayloadPass> start_pass() const override { return std::make_unique<PassOfRuns>(); }
  StatusText describe(std::uint32_t status) const override {
    return {.field = "runs", .problem = "status " + std::to_string(status)};
  }

private:
  static constexpr std::array<BlockLayout, 2> layouts = {layout_of_runs, layout_of_same};
};

constexpr RunRules run_rules;
constexpr std::array<Format, 1> made_up_formats = {
    {{.id = runs_format, .name = "runs", .rules = &run_rules}}};

std::span<const Format> formats_of_made_up() {
  return made_up_formats;
}

}  // namespace

std::span<const Format> formats_of_gsst();

std::span<const FormatsOfSeries> series_with_formats() {
  static constexpr std::array<FormatsOfSeries, 2> all = {formats_of_made_up, formats_of_gsst};
  return all;
}

}  // namespace format

namespace reference {
namespace {

constexpr std::array<CodecOption, 1> options_of_runs = {
    {{.name = "longest-run", .help = "Most bytes of a run, 1 to 255", .least = 1, .most = 255}}};

class RunCodec final : public Codec {
public:
  constexpr RunCodec()
      : Codec({.format = format::runs_format,
               .suffix = ".gsst",
               .max_block_bytes = 1 << 20,
               .options = options_of_runs}) {}

  void check(const EncodeSettings& settings) const override {
    const auto longest = settings.options.find("longest-run");
    if (longest != settings.options.end() && longest->second == 13) {
      throw std::invalid_argument("--longest-run: 13 is unlucky");
    }
  }

  EncodeTotals encode(const format::ReadFunction& read, const format::WriteFunction& write,
                      const EncodeSettings& settings, const format::ProgressFunction&) const override {
    const auto longest = settings.options.find("longest-run");
    const std::uint64_t most = longest == settings.options.end() ? 255 : longest->second;
    EncodeTotals totals;
    totals.how = "runs of at most " + std::to_string(most) + ", ";
    totals.numbers = {{"longest_run", most}};
    const auto put = [&](std::span<const std::uint8_t> bytes) {
      write(bytes);
      totals.output_bytes += bytes.size();
    };
    put(format::build_frame_header(
        {.format = format::runs_format, .block_size = settings.block_bytes, .split_count = 1}));
    format::FrameIndex index;
    Bytes last;
    for (Bytes block = format::read_up_to(read, settings.block_bytes); !block.empty();
         block = format::read_up_to(read, settings.block_bytes)) {
      const bool is_same = block == last;
      Bytes payload = is_same ? Bytes{1} : encode_runs(block, most);
      payload.resize(format::padded_payload_bytes(payload.size(), 8));
      const format::BlockRecord record{.layout = is_same ? format::layout_of_same : format::layout_of_runs,
                                       .payload_bytes = static_cast<std::uint32_t>(payload.size()),
                                       .uncompressed_bytes = static_cast<std::uint32_t>(block.size()),
                                       .checksum = format::checksum(block)};
      format::append_block(index, record);
      put(format::build_block_record(record));
      put(payload);
      totals.input_bytes += block.size();
      ++totals.blocks;
      // The next block may be the same as this one, but not the same as one that says so.
      last = is_same ? Bytes() : block;
    }
    put(format::build_frame_end(index));
    return totals;
  }

  format::StreamTotals decode(const format::ReadFunction& read, const format::WriteFunction& write, unsigned,
                              const format::ProgressFunction&) const override {
    format::FrameReader frame(read);
    format::PayloadChecker payloads(frame.header());
    format::StreamTotals totals;
    while (const auto record = frame.next_record()) {
      const Bytes payload = frame.read_payload();
      const format::CheckedPayload checked = payloads.check_next(payload, *record);
      const Bytes output = decode_payload(payload, format::expectation_of(frame.header(), *record),
                                          checked.part, totals.blocks);
      if (format::checksum(record->checksum_kind, output) != record->checksum) {
        throw format::FormatError(totals.blocks, "checksum", "is not that of the bytes");
      }
      write(output);
      totals.output_bytes += output.size();
      ++totals.blocks;
    }
    totals.input_bytes = frame.bytes_read();
    return totals;
  }

  Bytes decode_payload(std::span<const std::uint8_t> payload, const format::BlockExpectation&,
                       const format::PayloadPart& part, std::uint64_t) const override {
    return format::decode_runs(part ? *part : payload);
  }

  FileListing list(std::span<const std::uint8_t> file) const override {
    FileListing listing = list_frame(format::parse_frame(file));
    listing.numbers = {{.name = "favourite", .value = 42, .has_column = true}};
    return listing;
  }

private:
  static Bytes encode_runs(std::span<const std::uint8_t> block, std::uint64_t most) {
    Bytes payload;
    for (std::size_t i = 0; i < block.size();) {
      const std::uint8_t byte = block[i];
      std::uint8_t count = 0;
      for (; i < block.size() && block[i] == byte && count < most; ++i) ++count;
      payload.insert(payload.end(), {count, byte});
    }
    return payload;
  }
};

constexpr RunCodec run_codec;
constexpr std::array<const Codec*, 1> made_up_codecs = {&run_codec};

std::span<const Codec* const> codecs_of_made_up() {
  return made_up_codecs;
}

}  // namespace

std::span<const Codec* const> codecs_of_gsst();

std::span<const CodecsOfSeries> series_with_codecs() {
  static constexpr std::array<CodecsOfSeries, 2> all = {codecs_of_made_up, codecs_of_gsst};
  return all;
}

}  // namespace reference

namespace stage {
namespace {

const std::string encoder_id = "made_up/01_runs";

// Writes runs of any length, a block at a time.
struct RunEncodePlans final : EncodePlans {
  std::span<const format::BlockFormat> formats() const override { return written_formats; }

  void check(const FileToEncode& file) const override {
    if (!file.settings.options.contains("longest-run")) return;
    throw std::invalid_argument("--longest-run: the stage does not limit runs; compress " +
                                std::string(file.way_to_codec));
  }

  format::EncodeTotals encode(const FileToEncode& file, const format::ReadFunction& read,
                              const format::WriteFunction& write,
                              const format::ProgressFunction& progress) const override {
    check(file);
    const std::uint64_t needed_bytes = 3 * file.settings.block_bytes;
    if (file.memory_bytes < needed_bytes) throw pipeline::MemoryLimitError(file.memory_bytes, needed_bytes);
    format::EncodeTotals totals =
        reference::codec_of(file.format).encode(read, write, file.settings, progress);
    totals.how = "runs by a stage, ";
    return totals;
  }

  std::vector<std::pair<std::string, std::uint64_t>> describe(const InputToEncode&) const override {
    throw std::logic_error("only files are encoded");
  }
  std::unique_ptr<Plan> plan_of(const InputToEncode&) const override {
    throw std::logic_error("only files are encoded");
  }

private:
  static constexpr std::array<format::BlockFormat, 1> written_formats = {format::runs_format};
};

const Description encoder_description = {.id = encoder_id,
                                         .base = "",
                                         .title = "Runs",
                                         .section = "1",
                                         .format = format::runs_format,
                                         .operation = Operation::encode,
                                         .minimum_compute_capability = 80,
                                         .parameters = {}};
const RunEncodePlans encode_plans;
const Registration registration(Executor::simt, encoder_description, &encode_plans);

}  // namespace
}  // namespace stage

namespace cli {
namespace {

constexpr std::uint64_t block_bytes = 1024;

// Blocks 0, 1 and 3 have bytes of their own; 2 and 4 are the same as the ones before them.
Bytes make_input() {
  Bytes input;
  for (const char byte : {'a', 'b', 'b', 'c', 'c'}) {
    input.insert(input.end(), block_bytes, static_cast<std::uint8_t>(byte));
  }
  input.insert(input.end(), 5, 'x');
  return input;
}

Bytes make_frame() {
  return reference::encode_file(reference::codec_of(format::runs_format), make_input(),
                                {.block_bytes = block_bytes});
}

std::variant<Options, Answer> parse_command(std::initializer_list<const char*> arguments) {
  std::vector<const char*> all = {"gsst"};
  all.insert(all.end(), arguments);
  return parse_options(static_cast<int>(all.size()), all.data());
}

std::string message_of_command(std::initializer_list<const char*> arguments) {
  try {
    parse_command(arguments);
  } catch (const CommandError& error) {
    return error.what();
  }
  return "no error";
}

TEST(MadeUpSeries, AFrameOfItIsParsedByItsRules) {
  const Bytes frame = make_frame();
  const format::FrameView view = format::parse_frame(frame);
  EXPECT_EQ(view.header.format, format::runs_format);
  ASSERT_EQ(view.index.entries.size(), 6);
  EXPECT_EQ(view.index.entries[2].record.layout, format::layout_of_same);
  EXPECT_EQ(format::max_payload_bytes(view.header, 100), 208U);

  format::BlockRecord record = view.index.entries[1].record;
  record.layout = format::BlockLayout{2};
  const auto bytes = format::build_block_record(record);
  try {
    format::parse_record_header(bytes, view.header, 1);
    FAIL() << "no error";
  } catch (const format::FormatError& error) {
    EXPECT_STREQ(error.what(), "block 1: layout: is 2, expected 0, 1 or 3");
  }
  record.layout = format::layout_of_runs;
  record.payload_bytes = 9;
  const auto unaligned = format::build_block_record(record);
  format::expect_format_error(1, "payload bytes",
                              [&] { format::parse_record_header(unaligned, view.header, 1); });
}

TEST(MadeUpSeries, AFrameOfAnUnknownFormatNamesItsFormatAmongThoseKnown) {
  const auto header =
      format::build_frame_header({.format = format::BlockFormat{78}, .block_size = 1, .split_count = 1});
  try {
    format::parse_frame_header(header);
    FAIL() << "no error";
  } catch (const format::FormatError& error) {
    EXPECT_STREQ(error.what(),
                 "format id: is 78, this program knows 1 (blocks), 2 (splits), 3 (coalesced), 4 (tiles) and "
                 "77 (runs)");
  }
}

TEST(MadeUpSeries, AStatusOfItsDecoderReadsAsItsRulesSay) {
  // A checksum is compared by no decoder.
  const std::array<std::uint32_t, 3> words = {0, 3, 255};
  stage::FrameOnDevice frame{};
  frame.format = format::runs_format;
  const stage::Outcome decoded = stage::outcome_of_blocks(frame, std::as_bytes(std::span(words)), 40);
  ASSERT_TRUE(decoded.problem);
  EXPECT_EQ(decoded.problem->item, 41U);
  EXPECT_EQ(decoded.problem->field, "runs");
  EXPECT_EQ(decoded.problem->description, "status 3");
  const auto checksum =
      stage::first_problem(format::runs_format, std::as_bytes(std::span(words).last(1)), 42);
  ASSERT_TRUE(checksum);
  EXPECT_EQ(checksum->field, "checksum");
  EXPECT_EQ(stage::problem_of_range(format::runs_format, 5, 3).description, "status 3");
}

TEST(MadeUpSeries, ABatchCarriesWhatItsBlocksNeedOfEarlierOnes) {
  const Bytes frame = make_frame();
  const format::ReadFunction read = format::reader_of(frame);
  pipeline::BatchReader reader(read);
  Bytes buffer(10'000);
  const pipeline::BatchLimits limits{.blocks = 2, .bytes = buffer.size(), .output_bytes = 10'000};
  const pipeline::Batch first = reader.read_batch(buffer, limits);
  EXPECT_EQ(first.traits, 0U);
  EXPECT_TRUE(first.parts.empty());
  const pipeline::Batch second = reader.read_batch(buffer, limits);
  EXPECT_EQ(second.traits, format::trait_of_same);
  ASSERT_EQ(second.parts.size(), 1U);
  EXPECT_EQ(second.parts.begin()->first, 1U);
  EXPECT_EQ(format::decode_runs(*second.parts.begin()->second), Bytes(block_bytes, 'b'));
  EXPECT_EQ(second.blocks_back_to_parts(), 1U);
  const pipeline::Batch third = reader.read_batch(buffer, limits);
  EXPECT_EQ(third.parts.begin()->first, 3U);
  EXPECT_FALSE(reader.next_record());
}

TEST(MadeUpSeries, ADamagedPayloadIsFoundByItsRules) {
  Bytes frame = make_frame();
  const std::uint64_t payload = format::parse_frame(frame).index.entries[1].payload_offset;
  frame[payload] ^= 1;
  const format::ReadFunction read = format::reader_of(frame);
  pipeline::BatchReader reader(read);
  Bytes buffer(10'000);
  format::expect_format_error(
      1, "runs", [&] { reader.read_batch(buffer, {.blocks = 9, .bytes = 10'000, .output_bytes = 10'000}); });
}

TEST(MadeUpSeries, TheCommandKnowsItsFormatAndItsOptions) {
  const std::string help = std::get<Answer>(parse_command({"--help"})).text;
  EXPECT_NE(help.find("tiles (default), runs, or fsst"), std::string::npos) << help;
  EXPECT_NE(help.find("--longest-run N"), std::string::npos) << help;
  EXPECT_NE(help.find("Most bytes of a run, 1 to 255"), std::string::npos) << help;
  const Options options = std::get<Options>(parse_command({"--format", "runs", "--longest-run", "7"}));
  EXPECT_EQ(options.format, format::runs_format);
  EXPECT_EQ(options.codec_options, (reference::CodecOptions{{"longest-run", 7}}));
  EXPECT_EQ(message_of_command({"--longest-run", "7", "--format", "blocks"}),
            "--longest-run: only format runs takes it");
  EXPECT_EQ(message_of_command({"--longest-run", "7"}),
            "--longest-run: only format runs takes it; name it with --format (the default is tiles)");
  EXPECT_NE(message_of_command({"--format", "runs", "--longest-run", "256"}).find("not in range"),
            std::string::npos);
  EXPECT_EQ(message_of_command({"--format", "runs", "--longest-run", "13"}), "--longest-run: 13 is unlucky");
  EXPECT_EQ(message_of_command({"--format", "runs", "-3"}), "-3: format runs has no levels");
  EXPECT_EQ(message_of_command({"--format", "runs", "--block-size", "2M"}),
            "--block-size: 2097152 bytes are not between 1024 and 1048576, the range of format runs");
  EXPECT_EQ(message_of_command({"--format", "zip"}),
            "--format: 'zip' is none of fsst, blocks, splits, coalesced, tiles and runs");
  EXPECT_NE(message_of_command({"-d", "--longest-run", "7"})
                .find("--longest-run and --checksum are for compression"),
            std::string::npos);
}

class MadeUpSeriesFiles : public testing::Test {
protected:
  MadeUpSeriesFiles() {
    std::ofstream file(path_, std::ios::binary);
    const Bytes input = make_input();
    file.write(reinterpret_cast<const char*>(input.data()), static_cast<std::streamsize>(input.size()));
  }
  ~MadeUpSeriesFiles() override {
    for (const char* suffix : {"", ".gsst", ".back"}) std::filesystem::remove(path_ + suffix);
  }

  // Of an attempt to compress the file on the CPU executor.
  std::string message_of_compression(std::vector<const char*> arguments) const {
    arguments.insert(arguments.begin(), {"gsst", "-q", "--device", "simt"});
    arguments.push_back(path_.c_str());
    const auto parsed = parse_options(static_cast<int>(arguments.size()), arguments.data());
    try {
      compress_file(std::get<Options>(parsed), path_);
    } catch (const CommandError& error) {
      EXPECT_EQ(error.code(), ExitCode::usage);
      return error.what();
    }
    return "no error";
  }

  const std::string path_ = testing::TempDir() + "gsst_made_up_" + std::to_string(::getpid());
};

TEST_F(MadeUpSeriesFiles, GoThroughTheCommand) {
  const Options compress = std::get<Options>(
      parse_command({"-q", "--format", "runs", "--block-size", "1K", "--longest-run", "200", path_.c_str()}));
  const Summary compressed = compress_file(compress, path_);
  EXPECT_EQ(compressed.output, path_ + ".gsst");
  EXPECT_NE(summary_text(compressed, true).find("format runs, runs of at most 200, 6 blocks"),
            std::string::npos);
  EXPECT_EQ(summary_json(compressed).at("longest_run"), 200);

  const Options decompress = std::get<Options>(parse_command({"-dq", "-o", (path_ + ".back").c_str()}));
  const Summary decompressed = decompress_file(decompress, path_ + ".gsst");
  EXPECT_EQ(decompressed.format, "runs");
  std::ifstream back(path_ + ".back", std::ios::binary);
  const Bytes bytes((std::istreambuf_iterator<char>(back)), std::istreambuf_iterator<char>());
  EXPECT_EQ(bytes, make_input());

  const Listing listing = list_file(std::get<Options>(parse_command({"-l"})), InputFile(path_ + ".gsst"));
  EXPECT_NE(listing_text({listing}).find("block size  favourite  compressed"), std::string::npos)
      << listing_text({listing});
  EXPECT_EQ(listing_json(listing).at("favourite"), 42);
  EXPECT_EQ(listing_json(listing).at("format"), "runs");
}

TEST_F(MadeUpSeriesFiles, AreWrittenByItsStage) {
  const Options options =
      std::get<Options>(parse_command({"-q", "--format", "runs", "--block-size", "1K", "--device", "simt",
                                       "--stage", stage::encoder_id.c_str(), path_.c_str()}));
  const Summary summary = compress_file(options, path_);
  EXPECT_EQ(summary.blocks, 6U);
  EXPECT_NE(summary_text(summary, true).find("format runs, stage made_up/01_runs, runs by a stage, 6 blocks"),
            std::string::npos);
  std::ifstream file(path_ + ".gsst", std::ios::binary);
  EXPECT_EQ(Bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>()), make_frame());
}

TEST_F(MadeUpSeriesFiles, AreRefusedInTheWordsOfTheirStage) {
  const char* const id = stage::encoder_id.c_str();
  const std::string name = path_ + ": ";
  EXPECT_EQ(message_of_compression({"--format", "runs"}), name + "no stage writes format runs");
  EXPECT_EQ(message_of_compression({"--format", "splits", "--stage", id}),
            name + "stage made_up/01_runs does not write format splits");
  EXPECT_EQ(message_of_compression({"--format", "runs", "--longest-run", "7", "--stage", id}),
            name + "--longest-run: the stage does not limit runs; compress without --stage");
  const std::string memory = message_of_compression({"--format", "runs", "--memory", "1K", "--stage", id});
  EXPECT_TRUE(memory.starts_with(name + "--memory: blocks of this size need ")) << memory;
}

}  // namespace
}  // namespace cli
}  // namespace gsst
