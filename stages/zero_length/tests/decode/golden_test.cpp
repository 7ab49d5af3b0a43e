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
#include "common/format/zero_length/dictionary.hpp"
#include "common/format/zero_length/markers.hpp"
#include "common/format/zero_length/zero_length.hpp"
#include "common/frame/checksum.hpp"
#include "common/stage/run_decode.hpp"
#include "reference_cpu/codec.hpp"
#include "reference_cpu/test_inputs.hpp"
#include "stages/suite/stage_test.hpp"
#include "stages/zero_length/tests/inputs.hpp"

// The files of data/golden/zero_length/, which come from an implementation that shares nothing with this one:
// through the codecs, which must also write those of encoders again, and the frames through every decoder.
namespace gsst::zero_length {
namespace {

using test::Bytes;

const std::string golden_folder = "data/golden/zero_length/";

nlohmann::json golden_files(const char* list) {
  std::ifstream file(golden_folder + "golden.json");
  if (!file) throw std::runtime_error(golden_folder + "golden.json: cannot be read");
  return nlohmann::json::parse(file).at(list);
}

std::string name_of(const nlohmann::json& entry) {
  return entry.at("file").get<std::string>();
}

Bytes bytes_of_file(const nlohmann::json& entry) {
  return reference::test::read_file(golden_folder + name_of(entry));
}

format::BlockFormat format_of_file(const nlohmann::json& entry) {
  return format::block_format_from_name(entry.at("format").get<std::string>()).value();
}

const reference::Codec& codec_of_file(const nlohmann::json& entry) {
  return reference::codec_of(format_of_file(entry));
}

format::CodecOptions options_of(const nlohmann::json& entry) {
  format::CodecOptions options;
  for (const auto& [name, value] : entry.at("options").items()) options[name] = value;
  return options;
}

void expect_output(const nlohmann::json& entry, const Bytes& output) {
  EXPECT_EQ(output.size(), entry.at("size").get<std::uint64_t>());
  std::array<char, 17> digest{};
  std::snprintf(digest.data(), digest.size(), "%016llx",
                static_cast<unsigned long long>(format::checksum(output)));
  EXPECT_EQ(std::string(digest.data()), entry.at("xxh64").get<std::string>());
}

TEST(ZeroLengthGolden, EveryValidFileGivesItsDigestAndIsWrittenAgain) {
  const nlohmann::json files = golden_files("valid");
  ASSERT_GT(files.size(), 10U);
  for (const nlohmann::json& entry : files) {
    SCOPED_TRACE(name_of(entry));
    const Bytes file = bytes_of_file(entry);
    const Bytes output = reference::decode_file(codec_of_file(entry), file, 1);
    expect_output(entry, output);
    if (entry.at("block_size").is_null()) continue;
    EXPECT_TRUE(file ==
                reference::encode_file(
                    codec_of_file(entry), output,
                    {.block_bytes = entry.at("block_size"), .options = options_of(entry), .threads = 1}));
  }
}

TEST(ZeroLengthGolden, EveryInvalidFileGivesItsError) {
  const nlohmann::json files = golden_files("invalid");
  ASSERT_GT(files.size(), 20U);
  for (const nlohmann::json& entry : files) {
    SCOPED_TRACE(name_of(entry) + ": " + entry.at("why").get<std::string>());
    try {
      reference::decode_file(codec_of_file(entry), bytes_of_file(entry), 1);
      ADD_FAILURE() << "decoded without an error";
    } catch (const format::FormatError& error) {
      EXPECT_NE(error.field().find(entry.at("field").get<std::string>()), std::string::npos) << error.what();
      const std::optional<std::uint64_t> block =
          entry.at("block").is_null() ? std::nullopt : std::optional<std::uint64_t>(entry.at("block"));
      EXPECT_EQ(error.block(), block) << error.what();
    }
  }
}

class ZeroLengthGoldenTest : public stage::StageTest {
protected:
  bool decodes(const nlohmann::json& entry) const {
    return format_of_file(entry) == stage().description.format;
  }
};

// The decoders of all frames of the series.
std::vector<stage::StageCase> all_decoders() {
  std::vector<stage::StageCase> cases =
      stage::stage_cases(stage::Operation::decode, format::zero_length::frame_format);
  for (const format::BlockFormat format :
       {format::zero_length::markers_format, format::zero_length::dictionary_format}) {
    const std::vector<stage::StageCase> others = stage::stage_cases(stage::Operation::decode, format);
    cases.insert(cases.end(), others.begin(), others.end());
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(AllStages, ZeroLengthGoldenTest, testing::ValuesIn(all_decoders()),
                         stage::case_name);

TEST_P(ZeroLengthGoldenTest, DecodesEveryValidFrame) {
  std::size_t shift = 0;
  for (const nlohmann::json& entry : golden_files("valid")) {
    if (!decodes(entry)) continue;
    SCOPED_TRACE(name_of(entry));
    const Bytes frame = bytes_of_file(entry);
    expect_decodes(frame, reference::decode_file(codec_of_file(entry), frame, 1), {}, shift++ % 17);
    if (HasFatalFailure()) return;
  }
}

TEST_P(ZeroLengthGoldenTest, LeavesTheStatusOfEveryInvalidFrameThatReachesIt) {
  std::size_t reached = 0;
  for (const nlohmann::json& entry : golden_files("invalid")) {
    if (!entry.contains("status") || !decodes(entry)) continue;
    SCOPED_TRACE(name_of(entry));
    const stage::DecodeResult result = decode_guarded(bytes_of_file(entry), {}, reached++ % 17);
    if (HasFatalFailure()) return;
    std::vector<std::uint32_t> expected(result.statuses.size(), 0);
    expected.at(entry.at("block")) = entry.at("status");
    EXPECT_EQ(result.statuses, expected);
  }
  EXPECT_GT(reached, 5U);
}

}  // namespace
}  // namespace gsst::zero_length
