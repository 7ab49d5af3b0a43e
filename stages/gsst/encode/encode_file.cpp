#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>

#include "common/format/formats.hpp"
#include "common/pipeline/read_ahead.hpp"
#include "reference_cpu/compress_block.hpp"
#include "reference_cpu/gsst/settings.hpp"
#include "reference_cpu/level.hpp"
#include "reference_cpu/parallel.hpp"
#include "stages/gsst/encode/encode_plans.hpp"
#include "stages/gsst/encode/encode_stream.hpp"

namespace gsst::stage {
namespace {

// What the encoder on the CPU alone can choose.
void check_what_stages_write(const format::EncodeSettings& asked,
                             const reference::CompressOptions& settings) {
  if (settings.parse == reference::Parse::optimal) {
    throw std::invalid_argument("--parse optimal: stages encode greedily");
  }
  const std::uint32_t strip_codes = settings.strip_codes;
  if (strip_codes != 0 && strip_codes != reference::default_strip_codes) {
    throw std::invalid_argument("--strip-codes " + std::to_string(strip_codes) + ": stages write strips of " +
                                std::to_string(reference::default_strip_codes) +
                                "; --device cpu writes others");
  }
  if (asked.checksum_kind == format::ChecksumKind::xxh64) {
    throw std::invalid_argument("--checksum xxh64: stages write xxh64-tree; --device cpu writes it");
  }
}

// Stages train tables of splits for the first level only. Those of higher ones are made for the optimal
// parse.
void check_level(const FileToEncode& file) {
  const unsigned level = file.settings.level;
  if (file.format == format::BlockFormat::tiles || level == reference::min_level) return;
  throw std::invalid_argument("-" + std::to_string(level) + ": stages write format " +
                              std::string(format::block_format_name(file.format)) +
                              " at level 1 only; add --format tiles, or compress " +
                              std::string(file.way_to_codec));
}

// The start of an input, by which the table of tiles is made, and then the rest of it.
class PlannedInput {
public:
  // Stages encode greedily: the table is made for that, whatever the level.
  PlannedInput(const format::ReadFunction& read, const reference::CompressOptions& settings)
      : ahead_(read, reference::planned_bytes(settings)) {
    reference::CompressOptions greedy = settings;
    greedy.parse = reference::Parse::greedy;
    plan_ = reference::plan_frame(ahead_.start(), greedy, reference::thread_count(settings.threads));
  }

  const std::optional<reference::TilePlan>& plan() const { return plan_; }
  std::size_t read(std::span<std::uint8_t> buffer) { return ahead_.read(buffer); }

private:
  pipeline::ReadAhead ahead_;
  std::optional<reference::TilePlan> plan_;
};

// Where the stage can train what the level asks for it does, for each piece; else it takes the plan's table.
TileStreamSettings tiles_of_plan(const reference::TilePlan& plan, const GsstEncodePlans& plans,
                                 const reference::CompressOptions& settings) {
  TileStreamSettings tiles = {
      .shape = {.code_bits = plan.choice.code_bits, .codes_per_lane = plan.choice.codes_per_lane}};
  const bool can_train = trains_on_executor(*plans.make(
      {.settings = {
           .input_bytes = 0, .block_bytes = settings.block_bytes, .split_count = 1, .tiles = tiles.shape}}));
  if (settings.level >= reference::first_dictionary_level || !can_train) tiles.table = plan.table;
  return tiles;
}

}  // namespace

void GsstEncodePlans::check(const FileToEncode& file) const {
  check_what_stages_write(file.settings, reference::compress_options(file.format, file.settings));
  check_level(file);
}

format::EncodeTotals GsstEncodePlans::encode(const FileToEncode& file, const format::ReadFunction& read,
                                             const format::WriteFunction& write,
                                             const format::ProgressFunction& progress) const {
  check(file);
  const reference::CompressOptions settings = reference::compress_options(file.format, file.settings);
  PlannedInput planned(read, settings);
  EncodeStreamSettings stream = {.block_bytes = settings.block_bytes,
                                 .split_count = reference::split_count(settings),
                                 .memory_bytes = file.memory_bytes};
  reference::CompressTotals totals;
  if (planned.plan()) {
    totals.tiles = planned.plan()->choice;
    stream.tiles = tiles_of_plan(*planned.plan(), *this, settings);
  }
  const EncodeStreamTotals counted = encode_stream(
      *this, [&](std::span<std::uint8_t> buffer) { return planned.read(buffer); }, write, stream, progress);
  totals.input_bytes = counted.input_bytes;
  totals.output_bytes = counted.output_bytes;
  totals.blocks = counted.blocks;
  totals.tables = counted.tables;
  return reference::describe_totals(settings, totals);
}

}  // namespace gsst::stage
