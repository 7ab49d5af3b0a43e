#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/encode_stage/registry.hpp"
#include "common/encode_stage/run_encode.hpp"
#include "common/format/checksum.hpp"
#include "common/format/frame.hpp"
#include "common/stage/run_decode.hpp"
#include "reference_cpu/block_codec.hpp"
#include "reference_cpu/memory_codec.hpp"
#include "reference_cpu/test_inputs.hpp"
#include "reference_cpu/train.hpp"
#include "stages/stage_case.hpp"

// Every encoder stage against the oracle, with each of its parameters' values: what the oracle decodes, and
// where the tables fit the encoder's, the oracle's frame byte for byte.
namespace gsst::stage {
namespace {

using Bytes = std::vector<std::uint8_t>;
using format::SymbolTable;
using reference::test::NamedInput;

std::vector<StageCase> all_encoders() {
  std::vector<StageCase> cases;
  for (const RegisteredEncoder& stage : registered_encoders()) {
    for (const auto& [executor, encoder] : stage.encoders) {
      if (is_available(executor)) cases.push_back({.stage = stage.description.id, .executor = executor});
    }
  }
  return cases;
}

// The ladder of the stage: its steps, or only its defaults where it has none.
std::vector<ParameterValues> steps_of(const Description& stage) {
  for (const Parameter& parameter : stage.parameters) {
    if (parameter.name != "step") continue;
    std::vector<ParameterValues> steps;
    for (const std::int64_t value : parameter.values) steps.push_back({{"step", value}});
    return steps;
  }
  return {{}};
}

std::string to_text(const ParameterValues& parameters) {
  std::string text;
  for (const auto& [name, value] : parameters) text += name + " = " + std::to_string(value) + ", ";
  return text;
}

void append(Bytes& to, std::span<const std::uint8_t> bytes) {
  to.insert(to.end(), bytes.begin(), bytes.end());
}

// The frame that the oracle makes of `input` with `tables`, one for all blocks or one for each group.
Bytes oracle_frame(std::span<const std::uint8_t> input, const EncodeSettings& settings,
                   std::span<const SymbolTable> tables) {
  Bytes frame;
  append(frame, format::build_frame_header({.format = format::BlockFormat::splits,
                                            .block_size = settings.block_bytes,
                                            .split_count = settings.split_count}));
  format::FrameIndex index;
  for (std::uint32_t number = 0; number < block_count(settings); ++number) {
    const std::size_t begin = number * settings.block_bytes;
    const auto block =
        input.subspan(begin, std::min<std::size_t>(settings.block_bytes, input.size() - begin));
    const SymbolTable& table = tables[tables.size() == 1 ? 0 : number / settings.blocks_per_table];
    const format::BuiltBlock built =
        reference::encode_block(format::BlockFormat::splits, table, block, settings.split_count);
    const bool pays = built.bytes.size() < block.size();
    const std::span<const std::uint8_t> payload = pays ? std::span(built.bytes) : block;
    const format::BlockRecord record = {.layout = pays ? built.layout : format::BlockLayout::raw,
                                        .payload_bytes = static_cast<std::uint32_t>(payload.size()),
                                        .uncompressed_bytes = static_cast<std::uint32_t>(block.size()),
                                        .checksum = format::checksum(block)};
    append(frame, format::build_block_record(record));
    append(frame, payload);
    format::append_block(index, record);
  }
  append(frame, format::build_frame_end(index));
  return frame;
}

class EncodeTest : public testing::TestWithParam<StageCase> {
protected:
  const RegisteredEncoder& stage() const { return *find_encoder(GetParam().stage); }

  // Encodes between guard bytes and checks guards, statuses and what the oracle decodes. `shift` moves the
  // input's address.
  EncodeResult encode(std::span<const std::uint8_t> input, const EncodeSettings& settings, std::size_t shift,
                      std::span<const SymbolTable> tables = {}) const {
    EncodeResult result = run_encode(
        stage(), GetParam().executor, input, settings, tables,
        {.guard_bytes = shift % 2 == 0 ? 0 : 2 * encode_alignment, .poison = 0xb7, .input_offset = shift});
    check(result, input);
    return result;
  }

  // As encode(), and the frame must be the oracle's: the tables fit the encoder's.
  void expect_oracle_frame(std::span<const std::uint8_t> input, const EncodeSettings& settings,
                           std::size_t shift, std::span<const SymbolTable> tables = {}) const {
    const EncodeResult result = encode(input, settings, shift, tables);
    if (HasFatalFailure()) return;
    ASSERT_TRUE(result.frame == oracle_frame(input, settings, result.tables))
        << to_text(settings.parameters) << settings.block_bytes << " bytes a block, " << settings.split_count
        << " splits";
  }

private:
  static void check(const EncodeResult& result, std::span<const std::uint8_t> input) {
    ASSERT_TRUE(result.guards_are_intact);
    ASSERT_TRUE(std::ranges::equal(reference::decompress_frame(result.frame, 1), input));
    const format::FrameView frame = format::parse_frame(result.frame);
    ASSERT_EQ(result.statuses.size(), frame.index.entries.size());
    for (std::size_t block = 0; block < result.statuses.size(); ++block) {
      const bool raw = frame.index.entries[block].record.layout == format::BlockLayout::raw;
      ASSERT_EQ(result.statuses[block],
                static_cast<std::uint32_t>(raw ? EncodedBlock::raw : EncodedBlock::coded));
    }
  }
};

INSTANTIATE_TEST_SUITE_P(AllEncoders, EncodeTest, testing::ValuesIn(all_encoders()), case_name);

EncodeSettings settings_of(std::span<const std::uint8_t> input, std::uint64_t block_bytes,
                           std::uint32_t split_count, const ParameterValues& parameters = {}) {
  return {.input_bytes = input.size(),
          .block_bytes = block_bytes,
          .split_count = split_count,
          .parameters = parameters};
}

TEST_P(EncodeTest, EncodesEveryAwkwardInputAsTheOracleDoes) {
  constexpr std::array<std::uint32_t, 5> split_counts = {1, 3, 32, 33, 256};
  for (const ParameterValues& step : steps_of(stage().description)) {
    std::size_t shift = 0;
    for (const NamedInput& input : reference::test::awkward_inputs()) {
      const std::uint32_t split_count = split_counts[shift % split_counts.size()];
      SCOPED_TRACE(input.name + ", " + to_text(step) + std::to_string(split_count) + " splits, shift " +
                   std::to_string(shift));
      expect_oracle_frame(input.bytes, settings_of(input.bytes, 7001, split_count, step), shift % 17);
      if (HasFatalFailure()) return;
      ++shift;
    }
  }
}

}  // namespace
}  // namespace gsst::stage
