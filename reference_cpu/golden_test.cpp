#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/format/error.hpp"
#include "common/frame/checksum.hpp"
#include "reference_cpu/memory_codec.hpp"
#include "reference_cpu/stream_codec.hpp"

// Every file of data/golden/ through both decoders: valid ones must give the listed digest, invalid ones the
// listed error. The files come from an implementation of FORMAT.md that shares nothing with this one.
namespace gsst::reference {
namespace {

using Bytes = std::vector<std::uint8_t>;

const std::string golden_folder = "data/golden/";

struct ExpectedError {
  std::string field;
  std::optional<std::uint64_t> block;
};

struct GoldenFile {
  std::string file;
  bool fsst = false;
  // Valid files.
  std::uint64_t size = 0;
  std::string xxh64;
  // Invalid files.
  std::string why;
  ExpectedError memory_error;
  ExpectedError stream_error;
};

// The entries of one of the two lists: "valid" or "invalid".
nlohmann::json read_list(const char* name) {
  std::ifstream list(golden_folder + "golden.json");
  if (!list) throw std::runtime_error(golden_folder + "golden.json: cannot be read");
  return nlohmann::json::parse(list).at(name);
}

ExpectedError expected_error(const nlohmann::json& entry, const std::string& prefix) {
  ExpectedError expected{.field = entry.at(prefix + "field"), .block = std::nullopt};
  const nlohmann::json& block = entry.at(prefix + "block");
  if (!block.is_null()) expected.block = block.get<std::uint64_t>();
  return expected;
}

GoldenFile container_and_name(const nlohmann::json& entry) {
  GoldenFile golden;
  golden.file = entry.at("file");
  golden.fsst = entry.at("container") == "fsst";
  return golden;
}

std::vector<GoldenFile> valid_files() {
  std::vector<GoldenFile> files;
  const nlohmann::json entries = read_list("valid");
  for (const nlohmann::json& entry : entries) {
    GoldenFile golden = container_and_name(entry);
    golden.size = entry.at("size");
    golden.xxh64 = entry.at("xxh64");
    files.push_back(golden);
  }
  return files;
}

std::vector<GoldenFile> invalid_files() {
  std::vector<GoldenFile> files;
  const nlohmann::json entries = read_list("invalid");
  for (const nlohmann::json& entry : entries) {
    GoldenFile golden = container_and_name(entry);
    golden.why = entry.at("why");
    golden.memory_error = expected_error(entry, "");
    golden.stream_error =
        entry.contains("stream_field") ? expected_error(entry, "stream_") : golden.memory_error;
    files.push_back(golden);
  }
  return files;
}

Bytes read_golden(const GoldenFile& golden) {
  std::ifstream file(golden_folder + golden.file, std::ios::binary);
  if (!file) throw std::runtime_error(golden.file + ": cannot be read");
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::string hex(std::uint64_t value) {
  std::ostringstream text;
  text << std::hex;
  text.width(16);
  text.fill('0');
  text << value;
  return text.str();
}

Bytes decode_in_memory(const GoldenFile& golden, const Bytes& bytes, unsigned threads) {
  return golden.fsst ? decompress_fsst_file(bytes, threads) : decompress_frame(bytes, threads);
}

Bytes decode_as_stream(const GoldenFile& golden, const Bytes& bytes, unsigned threads) {
  Bytes output;
  std::size_t position = 0;
  decompress_stream(
      [&](std::span<std::uint8_t> buffer) {
        const auto piece =
            std::span(bytes).subspan(position, std::min(buffer.size(), bytes.size() - position));
        std::copy(piece.begin(), piece.end(), buffer.begin());
        position += piece.size();
        return piece.size();
      },
      [&](std::span<const std::uint8_t> piece) { output.insert(output.end(), piece.begin(), piece.end()); },
      {.fsst_file = golden.fsst, .threads = threads});
  return output;
}

void expect_output(const GoldenFile& golden, const Bytes& output) {
  EXPECT_EQ(output.size(), golden.size);
  EXPECT_EQ(hex(format::checksum(output)), golden.xxh64);
}

void expect_error(const ExpectedError& expected, const std::function<void()>& decode) {
  try {
    decode();
    ADD_FAILURE() << "decoded without an error";
  } catch (const format::FormatError& error) {
    EXPECT_NE(error.field().find(expected.field), std::string::npos)
        << "expected the field '" << expected.field << "', the error is: " << error.what();
    EXPECT_EQ(error.block(), expected.block) << error.what();
  }
}

TEST(Golden, EveryValidFileGivesItsDigest) {
  const std::vector<GoldenFile> files = valid_files();
  ASSERT_FALSE(files.empty());
  for (const GoldenFile& golden : files) {
    SCOPED_TRACE(golden.file);
    const Bytes bytes = read_golden(golden);
    for (const unsigned threads : {1u, 2u}) {
      expect_output(golden, decode_in_memory(golden, bytes, threads));
      expect_output(golden, decode_as_stream(golden, bytes, threads));
    }
  }
}

TEST(Golden, EveryInvalidFileGivesItsError) {
  const std::vector<GoldenFile> files = invalid_files();
  ASSERT_FALSE(files.empty());
  for (const GoldenFile& golden : files) {
    SCOPED_TRACE(golden.file + ": " + golden.why);
    const Bytes bytes = read_golden(golden);
    for (const unsigned threads : {1u, 2u}) {
      expect_error(golden.memory_error, [&] { decode_in_memory(golden, bytes, threads); });
      expect_error(golden.stream_error, [&] { decode_as_stream(golden, bytes, threads); });
    }
  }
}

}  // namespace
}  // namespace gsst::reference
