#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/format/error.hpp"
#include "common/format/formats.hpp"
#include "common/format/tile_integer/bit_packing.hpp"
#include "common/format/tile_integer/delta_nsf.hpp"
#include "common/format/tile_integer/null_suppression.hpp"
#include "common/format/tile_integer/run_lengths.hpp"
#include "common/format/tile_integer/value_dictionary.hpp"
#include "common/format/tile_integer/variable_bytes.hpp"
#include "common/frame/checksum.hpp"
#include "reference_cpu/codec.hpp"
#include "reference_cpu/test_inputs.hpp"
#include "stages/suite/stage_test.hpp"
#include "stages/tile_integer/tests/decode/integer_stages.hpp"

// The files of data/golden/tile_integer/, which come from an implementation that was written from FORMAT.md
// alone and shares nothing with this one.
namespace gsst::tile_integer {
namespace {

const std::string folder_of_golden = "data/golden/tile_integer/";

nlohmann::json listed_files(const char* list) {
  std::ifstream file(folder_of_golden + "golden.json");
  if (!file) throw std::runtime_error(folder_of_golden + "golden.json: cannot be read");
  return nlohmann::json::parse(file).at(list);
}

std::vector<std::uint8_t> listed_bytes(const nlohmann::json& entry) {
  return reference::test::read_file(folder_of_golden + entry.at("file").get<std::string>());
}

const reference::Codec& listed_codec(const nlohmann::json& entry) {
  return reference::codec_of(format::block_format_from_name(entry.at("format").get<std::string>()).value());
}

std::string digest_text(const std::vector<std::uint8_t>& output) {
  std::array<char, 17> digest{};
  std::snprintf(digest.data(), digest.size(), "%016llx",
                static_cast<unsigned long long>(format::checksum(output)));
  return digest.data();
}

TEST(TileIntegerGolden, EveryValidFileGivesItsDigestAndIsWrittenAgain) {
  const nlohmann::json files = listed_files("valid");
  ASSERT_GT(files.size(), 50U);
  for (const nlohmann::json& entry : files) {
    SCOPED_TRACE(entry.at("file").get<std::string>());
    const std::vector<std::uint8_t> file = listed_bytes(entry);
    const std::vector<std::uint8_t> output = reference::decode_file(listed_codec(entry), file, 1);
    EXPECT_EQ(output.size(), entry.at("size").get<std::uint64_t>());
    EXPECT_EQ(digest_text(output), entry.at("xxh64").get<std::string>());
    if (entry.at("block_size").is_null()) continue;
    format::CodecOptions options;
    for (const auto& [name, value] : entry.at("options").items()) options[name] = value;
    EXPECT_TRUE(file == reference::encode_file(
                            listed_codec(entry), output,
                            {.block_bytes = entry.at("block_size"), .options = options, .threads = 1}));
  }
}

TEST(TileIntegerGolden, EveryInvalidFileGivesItsError) {
  const nlohmann::json files = listed_files("invalid");
  ASSERT_GT(files.size(), 20U);
  for (const nlohmann::json& entry : files) {
    SCOPED_TRACE(entry.at("file").get<std::string>() + ": " + entry.at("why").get<std::string>());
    try {
      reference::decode_file(listed_codec(entry), listed_bytes(entry), 1);
      ADD_FAILURE() << "decoded without an error";
    } catch (const format::FormatError& error) {
      EXPECT_EQ(error.field(), entry.at("field").get<std::string>()) << error.what();
      const std::optional<std::uint64_t> block =
          entry.at("block").is_null() ? std::nullopt : std::optional<std::uint64_t>(entry.at("block"));
      EXPECT_EQ(error.block(), block) << error.what();
    }
  }
}

class IntegerGoldenTest : public stage::StageTest {};

// Also those of formats that the series' own are compared with.
std::vector<stage::StageCase> decoders_with_golden_files() {
  std::vector<stage::StageCase> cases = integer_decoders();
  for (const format::BlockFormat other :
       {format::tile_integer::nsf_format, format::tile_integer::bp_format, format::tile_integer::rle_format,
        format::tile_integer::rle_nsf_format, format::tile_integer::nsv_format,
        format::tile_integer::dict_format, format::tile_integer::delta_nsf_format}) {
    for (const stage::StageCase& one : stage::stage_cases(stage::Operation::decode, other)) {
      cases.push_back(one);
    }
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(AllStages, IntegerGoldenTest, testing::ValuesIn(decoders_with_golden_files()),
                         stage::case_name);

TEST_P(IntegerGoldenTest, DecodesEveryValidFrame) {
  std::size_t frames = 0;
  for (const nlohmann::json& entry : listed_files("valid")) {
    if (listed_codec(entry).traits().format != stage().description.format) continue;
    SCOPED_TRACE(entry.at("file").get<std::string>());
    const std::vector<std::uint8_t> frame = listed_bytes(entry);
    expect_decodes(frame, reference::decode_file(listed_codec(entry), frame, 1), {}, frames++ % 17);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(frames, 40U);
}

}  // namespace
}  // namespace gsst::tile_integer
