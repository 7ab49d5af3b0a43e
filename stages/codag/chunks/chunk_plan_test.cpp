#include "stages/codag/chunks/chunk_plan.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/format/codag/codag.hpp"
#include "common/format/error.hpp"
#include "common/format/formats.hpp"
#include "common/format/payload_rules.hpp"
#include "common/frame/frame.hpp"
#include "reference_cpu/codec.hpp"
#include "reference_cpu/test_inputs.hpp"
#include "stages/codag/chunks/chunk_memory.hpp"

// Chunks of the golden files, in memory without their frames.
namespace gsst::codag::chunks {
namespace {

using format::codag::DeflateStatus;

const std::string folder_of_golden_chunks = "data/golden/codag/";

nlohmann::json golden_chunk_files(const char* list) {
  std::ifstream file(folder_of_golden_chunks + "golden.json");
  if (!file) throw std::runtime_error(folder_of_golden_chunks + "golden.json: cannot be read");
  return nlohmann::json::parse(file).at(list);
}

// What is put together from a frame.
struct ChunksOfFile {
  ChunkCoding coding = {.codec = ChunkCodec::byte_rle};
  ChunkBytes input;
  ChunkBytes expected;
  std::vector<ChunkPlace> places;
  // Of each place: its block, and the bytes of the payload before the stream.
  std::vector<std::size_t> blocks;
  std::uint32_t stream_offset = 0;
  // Of the oracle: whether a block is refused.
  std::vector<bool> is_refused;
};

ChunkCoding coding_of_frame(format::BlockFormat found, std::uint8_t type) {
  using namespace format::codag;
  if (found == byte_rle_format) return {.codec = ChunkCodec::byte_rle};
  if (found == deflate_format) return {.codec = ChunkCodec::deflate};
  const TypeShape shape = shape_of(static_cast<Type>(type));
  return {.codec = found == orc_rle_v1_format ? ChunkCodec::rle_v1 : ChunkCodec::rle_v2,
          .value_bytes = shape.value_bytes,
          .is_signed = shape.is_signed};
}

// Bytes between chunks, so that addresses are of every kind; they must not change.
constexpr std::size_t most_gap_of_chunks = 7;

// The bytes that the oracle has for a payload; nothing if it refuses it.
std::optional<ChunkBytes> bytes_of_oracle(const reference::Codec& codec,
                                          std::span<const std::uint8_t> payload,
                                          const format::BlockExpectation& expected) {
  try {
    const format::PayloadRules& rules = format::rules_of(codec.traits().format);
    return codec.decode_payload(payload, expected, rules.start_pass()->check(payload, expected, 0).part, 0);
  } catch (const format::FormatError&) {
    return std::nullopt;
  }
}

void add_chunk(ChunksOfFile& chunks, std::span<const std::uint8_t> stream, const ChunkBytes& output,
               std::size_t number) {
  chunks.input.insert(chunks.input.end(), number % most_gap_of_chunks, GuardedChunkMemory::guard);
  chunks.expected.insert(chunks.expected.end(), 3 * number % most_gap_of_chunks, GuardedChunkMemory::guard);
  chunks.places.push_back({.input_offset = chunks.input.size(),
                           .output_offset = chunks.expected.size(),
                           .input_bytes = static_cast<std::uint32_t>(stream.size()),
                           .output_bytes = static_cast<std::uint32_t>(output.size())});
  chunks.input.insert(chunks.input.end(), stream.begin(), stream.end());
  chunks.expected.insert(chunks.expected.end(), output.begin(), output.end());
}

// Of those blocks of a frame that are not raw.
ChunksOfFile chunks_of_frame(const nlohmann::json& entry) {
  const ChunkBytes file =
      reference::test::read_file(folder_of_golden_chunks + entry.at("file").get<std::string>());
  const format::FrameView frame = format::parse_frame(file);
  const reference::Codec& codec = reference::codec_of(frame.header.format);
  ChunksOfFile chunks;
  bool has_coding = false;
  for (std::size_t block = 0; block < frame.index.entries.size(); ++block) {
    const format::BlockRecord& record = frame.index.entries[block].record;
    std::span<const std::uint8_t> payload = frame.payload(block);
    if (record.layout == format::BlockLayout::raw) continue;
    const ChunkCoding coding = coding_of_frame(frame.header.format, payload.empty() ? 0 : payload.front());
    if (!has_coding) chunks.coding = coding;
    has_coding = true;
    if (coding.value_bytes != chunks.coding.value_bytes) continue;
    const auto output = bytes_of_oracle(codec, payload, format::expectation_of(frame.header, record));
    const bool is_of_integers = coding.codec == ChunkCodec::rle_v1 || coding.codec == ChunkCodec::rle_v2;
    chunks.stream_offset = is_of_integers ? format::codag::stream_offset : 0;
    const std::uint32_t rest = record.uncompressed_bytes % coding.value_bytes;
    ChunkBytes values = output ? *output : ChunkBytes(record.uncompressed_bytes, GuardedChunkMemory::guard);
    values.erase(values.end() - static_cast<std::ptrdiff_t>(rest), values.end());
    payload = payload.subspan(chunks.stream_offset);
    add_chunk(chunks, payload.first(payload.size() - rest), values, block);
    chunks.blocks.push_back(block);
    chunks.is_refused.push_back(!output);
  }
  return chunks;
}

struct RunOfChunks {
  ChunkBytes output;
  std::vector<std::uint32_t> status;
  std::vector<std::uint32_t> written;
};

std::vector<std::uint32_t> words_of(const ChunkBytes& bytes) {
  std::vector<std::uint32_t> words(bytes.size() / sizeof(std::uint32_t));
  if (!words.empty()) std::memcpy(words.data(), bytes.data(), bytes.size());
  return words;
}

class ChunksWithoutAFrame : public testing::TestWithParam<stage::Executor> {
protected:
  static RunOfChunks run(const ChunkPlan& plan, const ChunkBytes& input, std::span<const ChunkPlace> places) {
    const stage::Executor executor = GetParam();
    GuardedChunkMemory given_input(executor, input, 1);
    GuardedChunkMemory given_places(executor, bytes_of_values(places));
    GuardedChunkMemory output(executor, plan.bounds().output_bytes, 3);
    GuardedChunkMemory written(executor, places.size() * sizeof(std::uint32_t));
    GuardedChunkMemory status(executor, places.size() * sizeof(std::uint32_t));
    plan.enqueue({.input = given_input.data(),
                  .chunks = reinterpret_cast<const ChunkPlace*>(given_places.data()),
                  .output = output.data(),
                  .written = reinterpret_cast<std::uint32_t*>(written.data()),
                  .status = reinterpret_cast<std::uint32_t*>(status.data())},
                 nullptr);
    stage::wait_for(executor);
    EXPECT_TRUE(output.is_intact() && written.is_intact() && status.is_intact());
    EXPECT_TRUE(given_input.read() == input);
    return {.output = output.read(), .status = words_of(status.read()), .written = words_of(written.read())};
  }
  static RunOfChunks run(const ChunksOfFile& chunks) {
    return run(ChunkPlan(GetParam(), chunks.coding, chunks.places), chunks.input, chunks.places);
  }
};

// Whether the chunk's bytes are the oracle's; of one that is refused they do not matter.
bool has_expected_bytes(const ChunksOfFile& chunks, const ChunkBytes& output, std::size_t chunk) {
  const ChunkPlace& place = chunks.places[chunk];
  const auto begin = static_cast<std::ptrdiff_t>(place.output_offset);
  const auto end = begin + static_cast<std::ptrdiff_t>(place.output_bytes);
  return std::equal(output.begin() + begin, output.begin() + end, chunks.expected.begin() + begin);
}

// Expects the oracle's bytes of the chunks that it decodes, and that nothing between chunks has changed.
void expect_bytes_of_oracle(ChunksOfFile chunks, RunOfChunks found) {
  for (std::size_t i = 0; i < chunks.places.size(); ++i) {
    EXPECT_EQ(found.status[i] != 0, chunks.is_refused[i]) << "chunk " << i;
    EXPECT_EQ(found.written[i], found.status[i] == 0 ? chunks.places[i].output_bytes : 0);
    if (!chunks.is_refused[i]) {
      EXPECT_TRUE(has_expected_bytes(chunks, found.output, i)) << "chunk " << i;
    }
    const auto begin = static_cast<std::ptrdiff_t>(chunks.places[i].output_offset);
    std::fill_n(chunks.expected.begin() + begin, chunks.places[i].output_bytes, 0);
    std::fill_n(found.output.begin() + begin, chunks.places[i].output_bytes, 0);
  }
  EXPECT_TRUE(found.output == chunks.expected) << "bytes between chunks have changed";
}

TEST_P(ChunksWithoutAFrame, ThoseOfEveryGoldenFileAreDecoded) {
  std::size_t chunks = 0;
  for (const nlohmann::json& entry : golden_chunk_files("valid")) {
    SCOPED_TRACE(entry.at("file").get<std::string>());
    const ChunksOfFile found = chunks_of_frame(entry);
    chunks += found.places.size();
    EXPECT_EQ(std::ranges::count(found.is_refused, true), 0);
    expect_bytes_of_oracle(found, run(found));
  }
  EXPECT_GT(chunks, 150U);
}

// The word that the list says, in the numbers of chunks.
std::uint32_t listed_word(const nlohmann::json& entry, const ChunksOfFile& chunks) {
  const std::uint32_t byte = entry.at("byte").get<std::uint32_t>() - chunks.stream_offset;
  const std::uint32_t number = entry.at("status").get<std::uint32_t>();
  return byte << 8 | (chunks.coding.codec == ChunkCodec::deflate ? first_deflate_status + number : number);
}

TEST_P(ChunksWithoutAFrame, ThoseOfInvalidFilesHaveTheListedProblemAndByte) {
  std::size_t problems = 0;
  for (const nlohmann::json& entry : golden_chunk_files("invalid")) {
    if (entry.at("status").is_null()) continue;
    SCOPED_TRACE(entry.at("file").get<std::string>());
    const ChunksOfFile chunks = chunks_of_frame(entry);
    const auto block = std::ranges::find(chunks.blocks, entry.at("block").get<std::size_t>());
    ASSERT_NE(block, chunks.blocks.end());
    const RunOfChunks found = run(chunks);
    EXPECT_EQ(found.status[static_cast<std::size_t>(block - chunks.blocks.begin())],
              listed_word(entry, chunks));
    expect_bytes_of_oracle(chunks, found);
    ++problems;
  }
  EXPECT_GT(problems, 80U);
}

// Four values of each codec, and what they decode to.
struct SmallChunk {
  ChunkCoding coding;
  ChunkBytes stream;
  ChunkBytes output;
};

const std::vector<SmallChunk> small_chunks = {
    {.coding = {.codec = ChunkCodec::byte_rle}, .stream = {0xfc, 1, 2, 3, 4}, .output = {1, 2, 3, 4}},
    {.coding = {.codec = ChunkCodec::rle_v1, .value_bytes = 2, .is_signed = true},
     .stream = {0x01, 0x01, 0x02},
     .output = {1, 0, 2, 0, 3, 0, 4, 0}},
    {.coding = {.codec = ChunkCodec::rle_v1, .value_bytes = 2, .is_signed = false},
     .stream = {0x01, 0x01, 0x02},
     .output = {2, 0, 3, 0, 4, 0, 5, 0}},
    {.coding = {.codec = ChunkCodec::rle_v2, .value_bytes = 4, .is_signed = true},
     .stream = {0x01, 0x05},
     .output = {0xfd, 0xff, 0xff, 0xff, 0xfd, 0xff, 0xff, 0xff, 0xfd, 0xff, 0xff, 0xff, 0xfd, 0xff, 0xff,
                0xff}},
    // A stored section.
    {.coding = {.codec = ChunkCodec::deflate},
     .stream = {0x01, 0x04, 0x00, 0xfb, 0xff, 9, 8, 7, 6},
     .output = {9, 8, 7, 6}},
};

constexpr std::uint64_t far_away = ~std::uint64_t{0};

// A chunk at the end of input and output, with other ones that are outside by as little as can be.
TEST_P(ChunksWithoutAFrame, PlacesOutsideAreRefusedAndOnlyThey) {
  for (const SmallChunk& small : small_chunks) {
    SCOPED_TRACE(static_cast<unsigned>(small.coding.codec));
    const auto in = static_cast<std::uint32_t>(small.stream.size());
    const auto out = static_cast<std::uint32_t>(small.output.size());
    const std::uint64_t input_bytes = 5 + std::uint64_t{in};
    const std::uint64_t output_bytes = 5 + std::uint64_t{out};
    ChunkBytes input(5, 0xee);
    input.insert(input.end(), small.stream.begin(), small.stream.end());
    constexpr auto in_input = static_cast<std::uint32_t>(ChunkRefusal::outside_input);
    constexpr auto in_output = static_cast<std::uint32_t>(ChunkRefusal::outside_output);
    constexpr auto size = static_cast<std::uint32_t>(ChunkRefusal::wrong_size);
    const std::uint32_t width = small.coding.value_bytes;
    const std::vector<std::pair<ChunkPlace, std::uint32_t>> cases = {
        {{5, 5, in, out}, 0},
        {{0, 0, 0, 0}, 0},
        {{far_away, far_away, 0, 0}, in_input},
        {{input_bytes, output_bytes, 0, 0}, 0},
        {{input_bytes + 1, output_bytes, 0, 0}, in_input},
        {{input_bytes, output_bytes + 1, 0, 0}, in_output},
        {{6, 5, in, out}, in_input},
        {{5, 6, in, out}, in_output},
        {{far_away, 5, in, out}, in_input},
        {{5, far_away, in, out}, in_output},
        {{far_away - in + 1, 5, in, out}, in_input},
        {{5, far_away - out + 1, in, out}, in_output},
        {{0, 5, static_cast<std::uint32_t>(input_bytes) + 1, out}, in_input},
        {{5, 0, in, (static_cast<std::uint32_t>(output_bytes) / width + 1) * width}, in_output},
        {{5, 5, max_chunk_bytes + 1, out}, size},
        {{5, 5, in, max_chunk_bytes + width}, size},
        {{5, 5, 0xffffffff, 0xffffffff / width * width}, size},
    };
    std::vector<ChunkPlace> places;
    for (const auto& [place, word] : cases) places.push_back(place);
    const ChunkBounds bounds = {
        .chunk_count = places.size(), .input_bytes = input_bytes, .output_bytes = output_bytes};
    const RunOfChunks found = run(ChunkPlan(GetParam(), small.coding, bounds), input, places);
    for (std::size_t i = 0; i < cases.size(); ++i) EXPECT_EQ(found.status[i], cases[i].second) << i;
    ChunkBytes expected(5, GuardedChunkMemory::guard);
    expected.insert(expected.end(), small.output.begin(), small.output.end());
    EXPECT_TRUE(found.output == expected);
    if (width == 1) continue;
    const RunOfChunks no_value = run(ChunkPlan(GetParam(), small.coding, bounds), input,
                                     std::vector<ChunkPlace>(places.size(), {5, 5, in, out - 1}));
    EXPECT_EQ(no_value.status, std::vector<std::uint32_t>(places.size(), size));
  }
}

// Streams that end anywhere, or with a byte more.
TEST_P(ChunksWithoutAFrame, CutStreamsAreRefusedAndSoIsAByteMore) {
  for (const SmallChunk& small : small_chunks) {
    SCOPED_TRACE(static_cast<unsigned>(small.coding.codec));
    ChunkBytes longer = small.stream;
    longer.push_back(0);
    for (std::size_t size = 0; size <= longer.size(); ++size) {
      SCOPED_TRACE(size);
      const ChunkPlace place = {.input_offset = 0,
                                .output_offset = 0,
                                .input_bytes = static_cast<std::uint32_t>(size),
                                .output_bytes = static_cast<std::uint32_t>(small.output.size())};
      const ChunkBytes input(longer.begin(), longer.begin() + static_cast<std::ptrdiff_t>(size));
      const RunOfChunks found = run(ChunkPlan(GetParam(), small.coding, {&place, 1}), input, {&place, 1});
      EXPECT_EQ(found.status[0] == 0, size == small.stream.size());
      EXPECT_EQ(found.written[0], size == small.stream.size() ? small.output.size() : 0);
      EXPECT_NE(found.status[0] != 0 ? describe_chunk_word(found.status[0]) : "?", "");
    }
  }
}

TEST_P(ChunksWithoutAFrame, DeflateMayHaveLessThanItsRoomAndSaysHowMuch) {
  const SmallChunk& small = small_chunks.back();
  for (const bool may_have_less : {false, true}) {
    for (const std::uint32_t room : {3U, 4U, 5U, 4000U}) {
      SCOPED_TRACE(room);
      const ChunkPlace place = {.input_offset = 0,
                                .output_offset = 0,
                                .input_bytes = static_cast<std::uint32_t>(small.stream.size()),
                                .output_bytes = room};
      const ChunkPlan plan(GetParam(), {.codec = ChunkCodec::deflate, .may_have_less = may_have_less},
                           {&place, 1});
      const RunOfChunks found = run(plan, small.stream, {&place, 1});
      const bool is_right = room == 4 || (room > 4 && may_have_less);
      EXPECT_EQ(found.written[0], is_right ? 4 : 0);
      const auto problem = room < 4 ? DeflateStatus::output_too_long : DeflateStatus::output_too_short;
      EXPECT_EQ(found.status[0] & 0xff,
                is_right ? 0 : first_deflate_status + static_cast<std::uint32_t>(problem));
      if (is_right) {
        EXPECT_TRUE(std::equal(small.output.begin(), small.output.end(), found.output.begin()));
      }
    }
  }
}

TEST_P(ChunksWithoutAFrame, WordsOfChunksAreAllThatIsNeeded) {
  const SmallChunk& small = small_chunks.front();
  const ChunkPlace place = {.input_offset = 0, .output_offset = 0, .input_bytes = 5, .output_bytes = 4};
  const ChunkPlan plan(GetParam(), small.coding, {&place, 1});
  GuardedChunkMemory input(GetParam(), small.stream);
  GuardedChunkMemory places(GetParam(), bytes_of_values(std::span(&place, 1)));
  GuardedChunkMemory output(GetParam(), 4);
  GuardedChunkMemory status(GetParam(), 4);
  plan.enqueue({.input = input.data(),
                .chunks = reinterpret_cast<const ChunkPlace*>(places.data()),
                .output = output.data(),
                .written = nullptr,
                .status = reinterpret_cast<std::uint32_t*>(status.data())},
               nullptr);
  stage::wait_for(GetParam());
  EXPECT_EQ(words_of(status.read()), std::vector<std::uint32_t>{0});
  EXPECT_TRUE(output.read() == small.output);
  // No chunk, no work.
  ChunkPlan(GetParam(), small.coding, ChunkBounds{}).enqueue({}, nullptr);
}

INSTANTIATE_TEST_SUITE_P(OnExecutors, ChunksWithoutAFrame, testing::ValuesIn(executors_of_chunks()),
                         [](const auto& run) { return std::string(stage::executor_name(run.param)); });

void expect_no_plan(const ChunkCoding& coding, const std::vector<ChunkPlace>& places,
                    const std::string& word) {
  try {
    ChunkPlan(stage::Executor::simt, coding, places);
    ADD_FAILURE() << "planned; expected: " << word;
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
  }
}

TEST(ChunksOfTheHost, AreRefusedByTheirNumber) {
  const ChunkCoding bytes = {.codec = ChunkCodec::byte_rle};
  const ChunkCoding longs = {.codec = ChunkCodec::rle_v2, .value_bytes = 8, .is_signed = true};
  expect_no_plan(bytes, {{0, 0, 1, 1}, {1, 0, 1, 1}}, "chunk 0 and chunk 1 share bytes of the output");
  expect_no_plan(bytes, {{0, 8, 1, 2}, {1, 0, 1, 1}, {1, 9, 1, 1}}, "chunk 0 and chunk 2 share bytes");
  expect_no_plan(longs, {{0, 0, 1, 8}, {1, 8, 1, 12}}, "chunk 1: its sizes");
  expect_no_plan(bytes, {{0, 0, max_chunk_bytes + 1, 1}}, "chunk 0: its sizes");
  expect_no_plan(bytes, {{far_away, 0, 1, 1}}, "chunk 0: it reaches out of the input");
  expect_no_plan(bytes, {{0, far_away, 1, 1}}, "chunk 0: it reaches out of the output");
  // One with no output is between others.
  const std::vector<ChunkPlace> fitting = {{3, 2, 4, 2}, {0, 3, 0, 0}, {9, 4, 1, 6}};
  const ChunkPlan plan(stage::Executor::simt, bytes, fitting);
  EXPECT_EQ(plan.bounds().chunk_count, 3U);
  EXPECT_EQ(plan.bounds().input_bytes, 10U);
  EXPECT_EQ(plan.bounds().output_bytes, 10U);
}

TEST(ChunksOfTheHost, CodingsThatThereAreNotAreRefused) {
  expect_no_plan({.codec = static_cast<ChunkCodec>(0)}, {}, "codec: 0 is none");
  expect_no_plan({.codec = static_cast<ChunkCodec>(5)}, {}, "codec: 5 is none");
  expect_no_plan({.codec = ChunkCodec::rle_v1, .value_bytes = 3}, {}, "type: codec 2");
  expect_no_plan({.codec = ChunkCodec::rle_v2, .value_bytes = 0}, {}, "type: codec 3");
  expect_no_plan({.codec = ChunkCodec::byte_rle, .value_bytes = 2}, {}, "type: codec 1");
  expect_no_plan({.codec = ChunkCodec::deflate, .value_bytes = 1, .is_signed = true}, {}, "type: codec 4");
  expect_no_plan({.codec = ChunkCodec::byte_rle, .may_have_less = true}, {}, "may_have_less");
}

TEST(ChunksOfTheHost, BoundsThatAreTooLargeAreNamed) {
  const auto problem = [](const ChunkBounds& bounds) {
    try {
      ChunkPlan(stage::Executor::simt, {.codec = ChunkCodec::deflate}, bounds);
      return std::string();
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
  };
  constexpr std::uint64_t most = std::uint64_t{1} << 56;
  EXPECT_EQ(problem({max_chunk_count, most, most}), "");
  EXPECT_NE(problem({max_chunk_count + 1ULL, 1, 1}).find("bounds: chunk_count is 67108865"),
            std::string::npos);
  EXPECT_NE(problem({1, most + 1, 1}).find("bounds: input_bytes"), std::string::npos);
  EXPECT_NE(problem({1, 1, most + 1}).find("bounds: output_bytes"), std::string::npos);
}

TEST(ChunksOfTheHost, EveryWordHasAText) {
  for (const std::uint32_t number : {1U, 7U, 33U, 51U, 252U, 253U, 254U}) {
    const std::string text = describe_chunk_word(9U << 8 | number);
    EXPECT_EQ(text.find("unknown"), std::string::npos) << text;
    EXPECT_EQ(text.find("byte 9") != std::string::npos, number < 252) << text;
  }
  EXPECT_NE(describe_chunk_word(8).find("unknown"), std::string::npos);
  EXPECT_NE(describe_chunk_word(200).find("unknown"), std::string::npos);
}

}  // namespace
}  // namespace gsst::codag::chunks
