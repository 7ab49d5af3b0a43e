#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/format/error.hpp"
#include "common/format/formats.hpp"
#include "common/frame/checksum.hpp"
#include "reference_cpu/codec.hpp"
#include "reference_cpu/test_inputs.hpp"
#include "stages/codag/tests/decode/chunks.hpp"

// The files of data/golden/codag/, which come from an implementation that was written from FORMAT.md alone
// and shares nothing with this one.
namespace gsst::codag {
namespace {

const std::string folder_of_chunks = "data/golden/codag/";

nlohmann::json listed_chunks(const char* list) {
  std::ifstream file(folder_of_chunks + "golden.json");
  if (!file) throw std::runtime_error(folder_of_chunks + "golden.json: cannot be read");
  return nlohmann::json::parse(file).at(list);
}

Chunk chunk_file(const nlohmann::json& entry) {
  return reference::test::read_file(folder_of_chunks + entry.at("file").get<std::string>());
}

const reference::Codec& chunk_codec(const nlohmann::json& entry) {
  return reference::codec_of(format::block_format_from_name(entry.at("format").get<std::string>()).value());
}

std::string chunk_digest(const Chunk& output) {
  std::array<char, 17> digest{};
  std::snprintf(digest.data(), digest.size(), "%016llx",
                static_cast<unsigned long long>(format::checksum(output)));
  return digest.data();
}

TEST(ChunksGolden, EveryValidFileGivesItsDigestAndIsWrittenAgain) {
  const nlohmann::json files = listed_chunks("valid");
  ASSERT_GT(files.size(), 50U);
  for (const nlohmann::json& entry : files) {
    SCOPED_TRACE(entry.at("file").get<std::string>());
    const Chunk file = chunk_file(entry);
    const Chunk output = reference::decode_file(chunk_codec(entry), file, 1);
    EXPECT_EQ(output.size(), entry.at("size").get<std::uint64_t>());
    EXPECT_EQ(chunk_digest(output), entry.at("xxh64").get<std::string>());
    if (entry.at("block_size").is_null()) continue;
    format::CodecOptions options;
    for (const auto& [name, value] : entry.at("options").items()) options[name] = value;
    EXPECT_TRUE(file == reference::encode_file(
                            chunk_codec(entry), output,
                            {.block_bytes = entry.at("block_size"), .options = options, .threads = 1}));
  }
}

TEST(ChunksGolden, EveryInvalidFileGivesItsErrorWithTheByte) {
  const nlohmann::json files = listed_chunks("invalid");
  ASSERT_GT(files.size(), 20U);
  for (const nlohmann::json& entry : files) {
    SCOPED_TRACE(entry.at("file").get<std::string>() + ": " + entry.at("why").get<std::string>());
    try {
      reference::decode_file(chunk_codec(entry), chunk_file(entry), 1);
      ADD_FAILURE() << "decoded without an error";
    } catch (const format::FormatError& error) {
      EXPECT_EQ(error.field(), entry.at("field").get<std::string>()) << error.what();
      EXPECT_EQ(error.block(), entry.at("block").get<std::uint64_t>()) << error.what();
      if (entry.at("status").is_null()) continue;
      const format::StatusText text = format::codag::describe_problem(
          format::codag::Problem{entry.at("status").get<std::uint8_t>()}, entry.at("byte"));
      EXPECT_NE(std::string(error.what()).find(text.problem), std::string::npos)
          << error.what() << ", expected: " << text.problem;
    }
  }
}

}  // namespace
}  // namespace gsst::codag
