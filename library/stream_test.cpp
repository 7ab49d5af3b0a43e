#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "gsst/stream.hpp"
#include "reference_cpu/test_inputs.hpp"

// Streams hold what the calls on whole inputs make and read, however the bytes come, and an error of either
// side ends them.
namespace gsst::library::streams {
namespace {

using Bytes = std::vector<std::uint8_t>;
using reference::test::make_random;
using reference::test::make_text;

// An input and an output in memory, as the caller of the C functions has them.
struct Memory {
  Bytes input;
  std::size_t most_at_once = std::numeric_limits<std::size_t>::max();
  std::size_t given = 0;
  Bytes output = {};
  // Which call returns `status` in place of what it does, counted from 0.
  std::size_t stop_reading_at = std::numeric_limits<std::size_t>::max();
  std::size_t stop_writing_at = std::numeric_limits<std::size_t>::max();
  int status = 0;
  std::size_t reads = 0;
  std::size_t writes = 0;
  bool has_ended = false;

  static int read(void* context, void* buffer, std::size_t capacity, std::size_t* bytes) {
    auto& memory = *static_cast<Memory*>(context);
    EXPECT_FALSE(memory.has_ended) << "read was called again after the end";
    EXPECT_GT(capacity, 0U);
    EXPECT_EQ(*bytes, 0U);
    if (memory.reads++ == memory.stop_reading_at) return memory.status;
    *bytes = std::min({capacity, memory.most_at_once, memory.input.size() - memory.given});
    std::copy_n(memory.input.begin() + static_cast<std::ptrdiff_t>(memory.given), *bytes,
                static_cast<std::uint8_t*>(buffer));
    memory.given += *bytes;
    memory.has_ended = *bytes == 0;
    return 0;
  }

  static int write(void* context, const void* bytes, std::size_t byte_count) {
    auto& memory = *static_cast<Memory*>(context);
    EXPECT_GT(byte_count, 0U);
    EXPECT_LE(memory.writes, memory.stop_writing_at) << "write was called again after it stopped the call";
    if (memory.writes++ == memory.stop_writing_at) return memory.status;
    const auto* const from = static_cast<const std::uint8_t*>(bytes);
    memory.output.insert(memory.output.end(), from, from + byte_count);
    return 0;
  }

  gsst_stream stream() {
    return {.struct_bytes = sizeof(gsst_stream),
            .reserved = 0,
            .read = &read,
            .read_context = this,
            .write = &write,
            .write_context = this};
  }
};

gsst_compress_options options_of(gsst_format format, std::uint32_t level = 0, std::uint64_t block_bytes = 0) {
  return {.struct_bytes = sizeof(gsst_compress_options),
          .format = static_cast<std::uint32_t>(format),
          .block_bytes = block_bytes,
          .splits = 0,
          .level = level,
          .threads = 2,
          .strip_codes = 0,
          .checksum = 0,
          .reserved = 0};
}

gsst_decompress_options reading(gsst_format format = GSST_FORMAT_DEFAULT) {
  return {.struct_bytes = sizeof(gsst_decompress_options),
          .format = static_cast<std::uint32_t>(format),
          .threads = 2,
          .skip_checksums = 0};
}

Bytes compress_whole(const Bytes& input, const gsst_compress_options& options) {
  Bytes frame(gsst_compress_bound(input.size(), &options));
  std::size_t bytes = 0;
  gsst_message message;
  EXPECT_EQ(gsst_compress(input.data(), input.size(), &options, frame.data(), frame.size(), &bytes, &message),
            GSST_OK)
      << message.text;
  frame.resize(bytes);
  return frame;
}

struct Outcome {
  gsst_error error;
  std::string message;
  gsst_stream_info info;
};

Outcome compress(Memory& memory, const gsst_compress_options* options) {
  const gsst_stream stream = memory.stream();
  Outcome outcome{.error = GSST_OK, .message = {}, .info = gsst::detail::sized<StreamInfo>()};
  gsst_message message;
  outcome.error = gsst_compress_stream(&stream, options, &outcome.info, &message);
  outcome.message = message.text;
  return outcome;
}

Outcome decompress(Memory& memory, const gsst_decompress_options* options) {
  const gsst_stream stream = memory.stream();
  Outcome outcome{.error = GSST_OK, .message = {}, .info = gsst::detail::sized<StreamInfo>()};
  gsst_message message;
  outcome.error = gsst_decompress_stream(&stream, options, &outcome.info, &message);
  outcome.message = message.text;
  return outcome;
}

TEST(LibraryStream, MakesTheFrameOfTheWholeInputAndReadsIt) {
  constexpr gsst_format formats[] = {GSST_FORMAT_DEFAULT,   GSST_FORMAT_BLOCKS, GSST_FORMAT_SPLITS,
                                     GSST_FORMAT_COALESCED, GSST_FORMAT_TILES,  GSST_FORMAT_FSST};
  for (const std::size_t bytes : {0U, 1U, 39U, 40U, 41U, 70'000U, 300'000U}) {
    const Bytes input = make_text(bytes, 1);
    for (const gsst_format format : formats) {
      for (const std::uint32_t level : {1U, 3U}) {
        for (const std::uint64_t block_bytes : {0U, 65536U}) {
          SCOPED_TRACE(std::to_string(format) + " level " + std::to_string(level) + " bytes " +
                       std::to_string(bytes) + " in blocks of " + std::to_string(block_bytes));
          const gsst_compress_options options = options_of(format, level, block_bytes);
          Memory memory{.input = input, .most_at_once = 5003};
          const Outcome compressed = compress(memory, &options);
          ASSERT_EQ(compressed.error, GSST_OK) << compressed.message;
          ASSERT_EQ(memory.output, compress_whole(input, options));
          EXPECT_EQ(compressed.info.input_bytes, bytes);
          EXPECT_EQ(compressed.info.output_bytes, memory.output.size());

          Memory back{.input = memory.output, .most_at_once = 7};
          const gsst_decompress_options with =
              reading(format == GSST_FORMAT_FSST ? format : GSST_FORMAT_DEFAULT);
          const Outcome decompressed = decompress(back, &with);
          ASSERT_EQ(decompressed.error, GSST_OK) << decompressed.message;
          EXPECT_EQ(back.output, input);
          EXPECT_EQ(decompressed.info.input_bytes, memory.output.size());
          EXPECT_EQ(decompressed.info.output_bytes, bytes);
          EXPECT_EQ(decompressed.info.block_count, compressed.info.block_count);
        }
      }
    }
  }
}

TEST(LibraryStream, ChoosesTheSizeOfBlocksAsForTheWholeInput) {
  // Longer than what is looked at, and of texts that change: small blocks, in tables of their own.
  Bytes input;
  for (unsigned part = 0; input.size() < (std::size_t{33} << 20); ++part) {
    const Bytes more = part % 2 == 0 ? make_text(500'000, part) : make_random(400'000, part);
    input.insert(input.end(), more.begin(), more.end());
  }
  const gsst_compress_options options = options_of(GSST_FORMAT_TILES);
  Memory memory{.input = input, .most_at_once = 1'000'003};
  ASSERT_EQ(compress(memory, &options).error, GSST_OK);
  EXPECT_EQ(memory.output, compress_whole(input, options));
}

TEST(LibraryStream, TakesEveryDefaultAndNeedsNoInfo) {
  Memory memory{.input = make_text(10'000, 2)};
  const gsst_stream stream = memory.stream();
  ASSERT_EQ(gsst_compress_stream(&stream, nullptr, nullptr, nullptr), GSST_OK);
  Memory back{.input = memory.output};
  const gsst_stream back_stream = back.stream();
  ASSERT_EQ(gsst_decompress_stream(&back_stream, nullptr, nullptr, nullptr), GSST_OK);
  EXPECT_EQ(back.output, memory.input);
}

TEST(LibraryStream, EndsWhereEitherFunctionStopsIt) {
  const gsst_compress_options options = options_of(GSST_FORMAT_TILES, 1, 65536);
  const Bytes input = make_text(400'000, 3);
  const Bytes frame = compress_whole(input, options);
  for (const std::size_t at : {0U, 1U, 3U}) {
    for (const bool reads : {true, false}) {
      for (const bool compresses : {true, false}) {
        Memory memory{.input = compresses ? input : frame, .most_at_once = 20'000, .status = -7};
        (reads ? memory.stop_reading_at : memory.stop_writing_at) = at;
        const Outcome outcome = compresses ? compress(memory, &options) : decompress(memory, nullptr);
        EXPECT_EQ(outcome.error, GSST_ERROR_STOPPED);
        EXPECT_EQ(outcome.message, std::string(reads ? "read" : "write") + " of the stream returned -7");
        EXPECT_EQ(outcome.info.input_bytes, 0U);
      }
    }
  }
  EXPECT_STREQ(gsst_error_text(GSST_ERROR_STOPPED), "a function of the caller stopped the call");
}

TEST(LibraryStream, RefusesAReaderThatPutsMoreThanThereIsRoomFor) {
  gsst_stream stream = Memory{}.stream();
  stream.read = [](void*, void*, std::size_t capacity, std::size_t* bytes) {
    *bytes = capacity + 1;
    return 0;
  };
  gsst_message message;
  EXPECT_EQ(gsst_compress_stream(&stream, nullptr, nullptr, &message), GSST_ERROR_INVALID_ARGUMENT);
  EXPECT_NE(std::string(message.text).find("read of the stream has put"), std::string::npos) << message.text;
}

TEST(LibraryStream, NamesEachMistakeInItsArguments) {
  struct Mistake {
    gsst_error error;
    std::string message;
    std::function<void(gsst_stream&, gsst_stream_info&)> make;
  };
  const std::vector<Mistake> mistakes = {
      {GSST_ERROR_NULL_POINTER, "stream: read is null", [](auto& stream, auto&) { stream.read = nullptr; }},
      {GSST_ERROR_NULL_POINTER, "stream: write is null", [](auto& stream, auto&) { stream.write = nullptr; }},
      {GSST_ERROR_INVALID_ARGUMENT, "stream: struct_bytes is 41, expected 40",
       [](auto& stream, auto&) { stream.struct_bytes = 41; }},
      {GSST_ERROR_INVALID_ARGUMENT, "stream: reserved is not 0",
       [](auto& stream, auto&) { stream.reserved = 1; }},
      {GSST_ERROR_INVALID_ARGUMENT, "info: struct_bytes is 0, expected 32",
       [](auto&, auto& info) { info.struct_bytes = 0; }},
  };
  for (const Mistake& mistake : mistakes) {
    Memory memory{.input = make_text(100, 4)};
    gsst_stream stream = memory.stream();
    auto info = gsst::detail::sized<StreamInfo>();
    mistake.make(stream, info);
    for (const bool compresses : {true, false}) {
      gsst_message message;
      const gsst_error error = compresses ? gsst_compress_stream(&stream, nullptr, &info, &message)
                                          : gsst_decompress_stream(&stream, nullptr, &info, &message);
      EXPECT_EQ(error, mistake.error);
      EXPECT_EQ(message.text, mistake.message);
      EXPECT_EQ(memory.reads + memory.writes, 0U);
    }
  }
  gsst_message message;
  EXPECT_EQ(gsst_compress_stream(nullptr, nullptr, nullptr, &message), GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(gsst_decompress_stream(nullptr, nullptr, nullptr, nullptr), GSST_ERROR_NULL_POINTER);

  Memory memory{.input = make_text(100, 4)};
  gsst_compress_options options = options_of(GSST_FORMAT_TILES);
  options.level = 10;
  EXPECT_EQ(compress(memory, &options).error, GSST_ERROR_INVALID_ARGUMENT);
  gsst_decompress_options skipping = reading();
  skipping.skip_checksums = 1;
  EXPECT_EQ(decompress(memory, &skipping).error, GSST_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(memory.reads + memory.writes, 0U);
}

TEST(LibraryStream, RefusesWhatIsNoWholeFrame) {
  const Bytes input = make_text(200'000, 5);
  for (const gsst_format format : {GSST_FORMAT_SPLITS, GSST_FORMAT_TILES}) {
    const Bytes frame = compress_whole(input, options_of(format, 1, 65536));
    const auto error_of = [](const Bytes& bytes, const gsst_decompress_options& options) {
      Memory memory{.input = bytes, .most_at_once = 999};
      const Outcome outcome = decompress(memory, &options);
      EXPECT_FALSE(outcome.error != GSST_OK && outcome.message.empty());
      return outcome.error;
    };
    EXPECT_EQ(error_of(frame, reading(format)), GSST_OK);
    EXPECT_EQ(error_of(frame, reading(GSST_FORMAT_BLOCKS)), GSST_ERROR_WRONG_FORMAT);
    EXPECT_EQ(error_of({}, reading()), GSST_ERROR_WRONG_FORMAT);
    EXPECT_EQ(error_of(input, reading()), GSST_ERROR_WRONG_FORMAT);
    for (const std::size_t left : {std::size_t{12}, std::size_t{39}, std::size_t{40}, std::size_t{41},
                                   frame.size() / 2, frame.size() - 1}) {
      EXPECT_EQ(error_of({frame.begin(), frame.begin() + static_cast<std::ptrdiff_t>(left)}, reading()),
                GSST_ERROR_DAMAGED)
          << left;
    }
    Bytes longer = frame;
    longer.push_back(0);
    EXPECT_EQ(error_of(longer, reading()), GSST_ERROR_DAMAGED);
    Bytes changed = frame;
    changed[frame.size() / 2] ^= 1;
    EXPECT_NE(error_of(changed, reading()), GSST_OK);
  }
}

TEST(LibraryStream, CppFunctionsPassWhatCallersThrow) {
  const Bytes text = make_text(50'000, 6);
  std::size_t given = 0;
  const auto read = [&](std::span<std::byte> buffer) {
    const std::size_t bytes = std::min(buffer.size(), text.size() - given);
    std::ranges::copy(std::as_bytes(std::span(text).subspan(given, bytes)), buffer.begin());
    given += bytes;
    return bytes;
  };
  std::vector<std::byte> frame;
  const Result<StreamInfo> compressed = compress_stream(
      read, [&](std::span<const std::byte> bytes) { frame.insert(frame.end(), bytes.begin(), bytes.end()); },
      {.format = Format::tiles});
  ASSERT_TRUE(compressed) << compressed.failure().message;
  EXPECT_EQ(compressed->output_bytes, frame.size());

  const Result<std::vector<std::byte>> output = gsst::decompress(frame);
  ASSERT_TRUE(output);
  EXPECT_TRUE(std::ranges::equal(*output, std::as_bytes(std::span(text))));

  const auto full = [](std::span<const std::byte>) { throw std::runtime_error("the disk is full"); };
  given = 0;
  EXPECT_THROW(static_cast<void>(compress_stream(read, full)), std::runtime_error);
  const auto lost = [](std::span<std::byte>) -> std::size_t { throw std::out_of_range("the line is dead"); };
  EXPECT_THROW(static_cast<void>(decompress_stream(lost, full)), std::out_of_range);

  const Result<StreamInfo> none =
      decompress_stream([](std::span<std::byte>) { return std::size_t{0}; }, full);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.failure().error, Error::wrong_format);
}

}  // namespace
}  // namespace gsst::library::streams
