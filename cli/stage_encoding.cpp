#include "cli/stage_encoding.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "cli/command_error.hpp"
#include "cli/stage_choice.hpp"
#include "common/encode_stage/encode_stage.hpp"
#include "common/encode_stage/encode_stream.hpp"
#include "common/format/formats.hpp"
#include "common/pipeline/memory_limit.hpp"
#include "common/pipeline/read_ahead.hpp"
#include "reference_cpu/compress_block.hpp"
#include "reference_cpu/gsst/settings.hpp"
#include "reference_cpu/level.hpp"
#include "reference_cpu/parallel.hpp"

namespace gsst::cli {
namespace {

// Stages train tables of splits for the first level only. Those of higher ones are made for the optimal
// parse.
void check_level(const Options& options, const std::string& input_name,
                 const reference::CompressOptions& settings) {
  if (settings.format == format::BlockFormat::tiles || settings.level == reference::min_level) return;
  throw CommandError(ExitCode::usage, input_name + ": -" + std::to_string(settings.level) +
                                          ": stages write format " +
                                          std::string(format::block_format_name(settings.format)) +
                                          " at level 1 only; add --format tiles, or compress " +
                                          (options.stage ? "without --stage" : "with --device cpu"));
}

// What the encoder on the CPU alone can choose.
void check_what_stages_write(const Options& options, const std::string& input_name,
                             const reference::CompressOptions& settings) {
  const std::uint32_t strip_codes = settings.strip_codes;
  if (strip_codes != 0 && strip_codes != reference::default_strip_codes) {
    throw CommandError(ExitCode::usage, input_name + ": --strip-codes " + std::to_string(strip_codes) +
                                            ": stages write strips of " +
                                            std::to_string(reference::default_strip_codes) +
                                            "; --device cpu writes others");
  }
  if (options.checksum_kind == format::ChecksumKind::xxh64) {
    throw CommandError(ExitCode::usage,
                       input_name + ": --checksum xxh64: stages write xxh64-tree; --device cpu writes it");
  }
}

// The start of an input, by which the table of tiles is made, and then the rest of it.
class PlannedInput {
public:
  // Stages encode greedily: the table is made for that, whatever the level.
  PlannedInput(InputFile& input, const reference::CompressOptions& settings)
      : read_([&input](std::span<std::uint8_t> buffer) { return input.read(buffer); }),
        ahead_(read_, reference::planned_bytes(settings)) {
    reference::CompressOptions greedy = settings;
    greedy.parse = reference::Parse::greedy;
    plan_ = reference::plan_frame(ahead_.start(), greedy, reference::thread_count(settings.threads));
  }
  PlannedInput(const PlannedInput&) = delete;
  PlannedInput& operator=(const PlannedInput&) = delete;

  const std::optional<reference::TilePlan>& plan() const { return plan_; }
  std::size_t read(std::span<std::uint8_t> buffer) { return ahead_.read(buffer); }

private:
  format::ReadFunction read_;
  pipeline::ReadAhead ahead_;
  std::optional<reference::TilePlan> plan_;
};

// Where the stage can train what the level asks for it does, for each piece; else it takes the plan's table.
stage::TileStreamSettings tiles_of_plan(const reference::TilePlan& plan, const stage::EncodePlans& plans,
                                        const reference::CompressOptions& settings) {
  stage::TileStreamSettings tiles = {
      .shape = {.code_bits = plan.choice.code_bits, .codes_per_lane = plan.choice.codes_per_lane}};
  const bool can_train = trains_on_executor(*plans.make(
      {.settings = {
           .input_bytes = 0, .block_bytes = settings.block_bytes, .split_count = 1, .tiles = tiles.shape}}));
  if (settings.level >= reference::first_dictionary_level || !can_train) tiles.table = plan.table;
  return tiles;
}

}  // namespace

reference::EncodeTotals encode_with_stage(const Options& options, InputFile& input,
                                          const reference::EncodeSettings& asked,
                                          const format::WriteFunction& write,
                                          const format::ProgressFunction& progress) {
  const format::BlockFormat block_format = chosen_codec(options).traits().format;
  const reference::CompressOptions settings = reference::compress_options(block_format, asked);
  if (settings.parse == reference::Parse::optimal) {
    throw CommandError(ExitCode::usage, input.name() + ": --parse optimal: stages encode greedily");
  }
  check_what_stages_write(options, input.name(), settings);
  const stage::RegisteredStage& encoder = choose_encoder(options, input.name(), settings.format);
  check_level(options, input.name(), settings);
  const stage::Executor executor = executor_of(options.device);
  PlannedInput planned(input, settings);
  stage::EncodeStreamSettings stream = {.block_bytes = settings.block_bytes,
                                        .split_count = reference::split_count(settings),
                                        .memory_bytes = options.stage_memory_bytes};
  reference::CompressTotals totals;
  if (planned.plan()) {
    totals.tiles = planned.plan()->choice;
    stream.tiles = tiles_of_plan(*planned.plan(), *encoder.encode.at(executor), settings);
  }
  try {
    const stage::EncodeStreamTotals counted = stage::encode_stream(
        encoder, executor, [&](std::span<std::uint8_t> buffer) { return planned.read(buffer); }, write,
        stream, progress);
    totals.input_bytes = counted.input_bytes;
    totals.output_bytes = counted.output_bytes;
    totals.blocks = counted.blocks;
    totals.tables = counted.tables;
    return reference::describe_totals(settings, totals);
  } catch (const pipeline::MemoryLimitError& error) {
    throw CommandError(ExitCode::usage, input.name() + ": --memory: " + error.what());
  }
}

}  // namespace gsst::cli
