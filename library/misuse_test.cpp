#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "gsst/gsst.hpp"
#include "library/known_struct.hpp"
#include "reference_cpu/codec.hpp"
#include "reference_cpu/test_inputs.hpp"

// Wrong arguments and damaged frames: every one gives its code and a text, and nothing is written outside of
// the output.
namespace gsst::library {
namespace {

// A struct that had one number at first.
struct Grown {
  std::uint32_t struct_bytes;
  std::uint32_t number;
  std::uint64_t later;
};

}  // namespace

template <>
inline constexpr std::size_t first_struct_bytes<Grown> = offsetof(Grown, later);

namespace {

using Bytes = std::vector<std::uint8_t>;
using reference::test::make_mixed;
using reference::test::make_text;

struct DestroyPlan {
  void operator()(gsst_compress_plan* plan) const { gsst_compress_plan_destroy(plan); }
  void operator()(gsst_decompress_plan* plan) const { gsst_decompress_plan_destroy(plan); }
};
using OwnedCompressPlan = std::unique_ptr<gsst_compress_plan, DestroyPlan>;
using OwnedDecompressPlan = std::unique_ptr<gsst_decompress_plan, DestroyPlan>;

gsst_compress_options compress_options(gsst_format format = GSST_FORMAT_DEFAULT) {
  gsst_compress_options options{};
  options.struct_bytes = sizeof(options);
  options.format = format;
  return options;
}

gsst_decompress_options decompress_options(gsst_format format = GSST_FORMAT_DEFAULT) {
  gsst_decompress_options options{};
  options.struct_bytes = sizeof(options);
  options.format = format;
  return options;
}

OwnedCompressPlan plan_compression(std::size_t input_bytes, const gsst_compress_options& options) {
  gsst_compress_plan* plan = nullptr;
  gsst_message message;
  EXPECT_EQ(gsst_compress_plan_create(input_bytes, &options, &plan, &message), GSST_OK) << message.text;
  return OwnedCompressPlan(plan);
}

OwnedDecompressPlan plan_decompression(const Bytes& frame, const gsst_decompress_options& options) {
  gsst_decompress_plan* plan = nullptr;
  gsst_message message;
  EXPECT_EQ(gsst_decompress_plan_create(frame.data(), frame.size(), &options, &plan, &message), GSST_OK)
      << message.text;
  return OwnedDecompressPlan(plan);
}

Bytes compress_in_blocks(const Bytes& input, gsst_format format) {
  gsst_compress_options options = compress_options(format);
  options.block_bytes = 1000;
  options.splits = 4;
  const OwnedCompressPlan plan = plan_compression(input.size(), options);
  Bytes frame(gsst_compress_plan_output_bytes(plan.get()));
  std::size_t frame_bytes = 0;
  EXPECT_EQ(gsst_compress_execute(plan.get(), input.data(), input.size(), frame.data(), frame.size(),
                                  &frame_bytes, nullptr),
            GSST_OK);
  frame.resize(frame_bytes);
  return frame;
}

// Output between bytes that nobody may change.
class GuardedOutput {
public:
  explicit GuardedOutput(std::size_t size) : size_(size), bytes_(size + 2 * guard_bytes, guard) {}

  std::uint8_t* data() { return bytes_.data() + guard_bytes; }
  std::span<const std::uint8_t> bytes() const { return std::span(bytes_).subspan(guard_bytes, size_); }

  bool is_intact() const {
    const auto is_guard = [](std::uint8_t byte) { return byte == guard; };
    return std::all_of(bytes_.begin(), bytes_.begin() + guard_bytes, is_guard) &&
           std::all_of(bytes_.end() - guard_bytes, bytes_.end(), is_guard);
  }
  bool is_untouched() const {
    return std::ranges::all_of(bytes_, [](std::uint8_t byte) { return byte == guard; });
  }

private:
  static constexpr std::ptrdiff_t guard_bytes = 64;
  static constexpr std::uint8_t guard = 0xa5;

  std::size_t size_;
  Bytes bytes_;
};

// What becomes of bytes that may be damaged: the code of the step that refuses them, or GSST_OK. The output
// has exactly as many bytes as the plan says.
gsst_error decompress_guarded(std::span<const std::uint8_t> frame, const gsst_decompress_options& options,
                              Bytes* output, gsst_message* message) {
  gsst_decompress_plan* created = nullptr;
  const gsst_error error =
      gsst_decompress_plan_create(frame.data(), frame.size(), &options, &created, message);
  const OwnedDecompressPlan plan(created);
  EXPECT_EQ(plan == nullptr, error != GSST_OK);
  if (error != GSST_OK) return error;
  GuardedOutput guarded(gsst_decompress_plan_output_bytes(plan.get()));
  const gsst_error executed =
      gsst_decompress_execute(plan.get(), guarded.data(), guarded.bytes().size(), message);
  EXPECT_TRUE(guarded.is_intact());
  output->assign(guarded.bytes().begin(), guarded.bytes().end());
  return executed;
}

TEST(LibraryMisuse, NullPointersAreNamed) {
  const Bytes input = make_text(3000, 1);
  const Bytes frame = compress_in_blocks(input, GSST_FORMAT_SPLITS);
  const OwnedCompressPlan compress = plan_compression(input.size(), compress_options());
  const OwnedDecompressPlan decompress = plan_decompression(frame, decompress_options());
  Bytes output(gsst_compress_plan_output_bytes(compress.get()));
  std::size_t bytes = 99;
  auto info = detail::sized<gsst_frame_info>();
  auto block = detail::sized<gsst_block_info>();
  gsst_message message;
  const auto expect_null = [&](gsst_error error, const std::string& name) {
    EXPECT_EQ(error, GSST_ERROR_NULL_POINTER) << name;
    EXPECT_EQ(std::string(message.text), name + " is null");
  };

  expect_null(gsst_compress_plan_create(1, nullptr, nullptr, &message), "plan");
  expect_null(gsst_compress_execute(nullptr, input.data(), input.size(), output.data(), output.size(), &bytes,
                                    &message),
              "plan");
  EXPECT_EQ(bytes, 0);
  expect_null(gsst_compress_execute(compress.get(), nullptr, input.size(), output.data(), output.size(),
                                    &bytes, &message),
              "input");
  expect_null(gsst_compress_execute(compress.get(), input.data(), input.size(), nullptr, output.size(),
                                    &bytes, &message),
              "output");
  expect_null(gsst_compress_execute(compress.get(), input.data(), input.size(), output.data(), output.size(),
                                    nullptr, &message),
              "output_bytes");
  expect_null(gsst_inspect(nullptr, frame.size(), &info, &message), "frame");
  expect_null(gsst_inspect(frame.data(), frame.size(), nullptr, &message), "info");
  expect_null(gsst_decompress_plan_create(frame.data(), frame.size(), nullptr, nullptr, &message), "plan");
  gsst_decompress_plan* plan = decompress.get();
  expect_null(gsst_decompress_plan_create(nullptr, frame.size(), nullptr, &plan, &message), "frame");
  EXPECT_EQ(plan, nullptr);
  expect_null(gsst_decompress_execute(nullptr, output.data(), output.size(), &message), "plan");
  expect_null(gsst_decompress_execute(decompress.get(), nullptr, output.size(), &message), "output");
  bytes = 99;
  expect_null(gsst_compress(nullptr, input.size(), nullptr, output.data(), output.size(), &bytes, &message),
              "input");
  EXPECT_EQ(bytes, 0);
  expect_null(gsst_compress(input.data(), input.size(), nullptr, nullptr, output.size(), &bytes, &message),
              "output");
  expect_null(
      gsst_compress(input.data(), input.size(), nullptr, output.data(), output.size(), nullptr, &message),
      "output_bytes");
  bytes = 99;
  expect_null(gsst_decompress(nullptr, frame.size(), nullptr, output.data(), output.size(), &bytes, &message),
              "frame");
  EXPECT_EQ(bytes, 0);
  expect_null(gsst_decompress(frame.data(), frame.size(), nullptr, nullptr, output.size(), &bytes, &message),
              "output");
  expect_null(
      gsst_decompress(frame.data(), frame.size(), nullptr, output.data(), output.size(), nullptr, &message),
      "output_bytes");

  EXPECT_EQ(gsst_decompress_plan_info(nullptr, &info), GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(gsst_decompress_plan_info(decompress.get(), nullptr), GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(gsst_decompress_plan_block(nullptr, 0, &block), GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(gsst_decompress_plan_block(decompress.get(), 0, nullptr), GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(gsst_compress_plan_output_bytes(nullptr), 0);
  EXPECT_EQ(gsst_decompress_plan_output_bytes(nullptr), 0);
  gsst_compress_plan_destroy(nullptr);
  gsst_decompress_plan_destroy(nullptr);
}

TEST(LibraryMisuse, NothingToReadOrWriteNeedsNoPointer) {
  const OwnedCompressPlan compress = plan_compression(0, compress_options());
  Bytes frame(gsst_compress_plan_output_bytes(compress.get()));
  std::size_t frame_bytes = 0;
  ASSERT_EQ(
      gsst_compress_execute(compress.get(), nullptr, 0, frame.data(), frame.size(), &frame_bytes, nullptr),
      GSST_OK);
  frame.resize(frame_bytes);
  const OwnedDecompressPlan decompress = plan_decompression(frame, decompress_options());
  EXPECT_EQ(gsst_decompress_execute(decompress.get(), nullptr, 0, nullptr), GSST_OK);

  const OwnedDecompressPlan fsst = plan_decompression({}, decompress_options(GSST_FORMAT_FSST));
  EXPECT_EQ(gsst_decompress_execute(fsst.get(), nullptr, 0, nullptr), GSST_OK);
}

TEST(LibraryMisuse, TooSmallOutputIsNotWritten) {
  const Bytes input = make_text(3000, 2);
  for (const gsst_format format :
       {GSST_FORMAT_BLOCKS, GSST_FORMAT_SPLITS, GSST_FORMAT_COALESCED, GSST_FORMAT_TILES, GSST_FORMAT_FSST}) {
    const OwnedCompressPlan compress = plan_compression(input.size(), compress_options(format));
    GuardedOutput output(gsst_compress_plan_output_bytes(compress.get()));
    std::size_t bytes = 0;
    EXPECT_EQ(gsst_compress_execute(compress.get(), input.data(), input.size(), output.data(),
                                    output.bytes().size() - 1, &bytes, nullptr),
              GSST_ERROR_OUTPUT_TOO_SMALL);
    EXPECT_TRUE(output.is_untouched());
    EXPECT_EQ(gsst_compress_execute(compress.get(), input.data(), input.size(), output.data(),
                                    output.bytes().size(), &bytes, nullptr),
              GSST_OK);
    EXPECT_TRUE(output.is_intact());

    const OwnedDecompressPlan decompress =
        plan_decompression(compress_in_blocks(input, format), decompress_options(format));
    GuardedOutput decompressed(input.size());
    EXPECT_EQ(gsst_decompress_execute(decompress.get(), decompressed.data(), input.size() - 1, nullptr),
              GSST_ERROR_OUTPUT_TOO_SMALL);
    EXPECT_TRUE(decompressed.is_untouched());
  }
}

TEST(LibraryMisuse, OneCallRefusesWhatItsStepsRefuse) {
  const Bytes input = make_text(3000, 12);
  GuardedOutput frame(gsst_compress_bound(input.size(), nullptr));
  std::size_t frame_bytes = 99;
  EXPECT_EQ(gsst_compress(input.data(), input.size(), nullptr, frame.data(), frame.bytes().size() - 1,
                          &frame_bytes, nullptr),
            GSST_ERROR_OUTPUT_TOO_SMALL);
  EXPECT_EQ(frame_bytes, 0);
  EXPECT_TRUE(frame.is_untouched());
  ASSERT_EQ(gsst_compress(input.data(), input.size(), nullptr, frame.data(), frame.bytes().size(),
                          &frame_bytes, nullptr),
            GSST_OK);
  EXPECT_TRUE(frame.is_intact());

  GuardedOutput output(input.size());
  std::size_t output_bytes = 99;
  const auto decompress = [&](std::size_t bytes_of_frame, void* to, std::size_t capacity) {
    return gsst_decompress(frame.data(), bytes_of_frame, nullptr, to, capacity, &output_bytes, nullptr);
  };
  EXPECT_EQ(decompress(frame_bytes, output.data(), input.size() - 1), GSST_ERROR_OUTPUT_TOO_SMALL);
  EXPECT_EQ(output_bytes, 0);
  EXPECT_EQ(decompress(frame_bytes - 1, output.data(), input.size()), GSST_ERROR_DAMAGED);
  EXPECT_EQ(decompress(frame_bytes, frame.data(), input.size()), GSST_ERROR_OVERLAP);
  EXPECT_TRUE(output.is_untouched());
  const gsst_decompress_options splits = decompress_options(GSST_FORMAT_SPLITS);
  EXPECT_EQ(gsst_decompress(frame.data(), frame_bytes, &splits, output.data(), input.size(), &output_bytes,
                            nullptr),
            GSST_ERROR_WRONG_FORMAT);
  ASSERT_EQ(decompress(frame_bytes, output.data(), input.size()), GSST_OK);
  EXPECT_EQ(output_bytes, input.size());
  EXPECT_TRUE(std::ranges::equal(output.bytes(), input));
  EXPECT_TRUE(output.is_intact());
}

TEST(LibraryMisuse, LargerOutputKeepsWhatIsBehind) {
  const Bytes input = make_mixed(5000, 3);
  for (const gsst_format format :
       {GSST_FORMAT_BLOCKS, GSST_FORMAT_SPLITS, GSST_FORMAT_COALESCED, GSST_FORMAT_TILES, GSST_FORMAT_FSST}) {
    const Bytes frame = compress_in_blocks(input, format);
    const OwnedDecompressPlan plan = plan_decompression(frame, decompress_options(format));
    GuardedOutput output(input.size());
    // The guard behind the output is memory of the caller too.
    EXPECT_EQ(gsst_decompress_execute(plan.get(), output.data(), input.size() + 64, nullptr), GSST_OK);
    EXPECT_TRUE(output.is_intact());
    EXPECT_TRUE(std::ranges::equal(output.bytes(), input));
  }
}

TEST(LibraryMisuse, OverlappingMemoryIsRefused) {
  Bytes memory = make_text(10'000, 4);
  const OwnedCompressPlan compress = plan_compression(1000, compress_options());
  const std::size_t capacity = gsst_compress_plan_output_bytes(compress.get());
  std::size_t bytes = 0;
  const Bytes before = memory;
  EXPECT_EQ(gsst_compress_execute(compress.get(), memory.data(), 1000, memory.data() + 999, capacity, &bytes,
                                  nullptr),
            GSST_ERROR_OVERLAP);
  EXPECT_EQ(gsst_compress_execute(compress.get(), memory.data() + capacity - 1, 1000, memory.data(), capacity,
                                  &bytes, nullptr),
            GSST_ERROR_OVERLAP);
  EXPECT_EQ(memory, before);
  EXPECT_EQ(gsst_compress_execute(compress.get(), memory.data(), 1000, memory.data() + 1000, capacity, &bytes,
                                  nullptr),
            GSST_OK);

  Bytes frame = compress_in_blocks(before, GSST_FORMAT_SPLITS);
  const std::size_t frame_bytes = frame.size();
  frame.resize(frame_bytes + before.size());
  gsst_decompress_plan* created = nullptr;
  ASSERT_EQ(gsst_decompress_plan_create(frame.data(), frame_bytes, nullptr, &created, nullptr), GSST_OK);
  const OwnedDecompressPlan decompress(created);
  EXPECT_EQ(gsst_decompress_execute(decompress.get(), frame.data() + frame_bytes - 1, before.size(), nullptr),
            GSST_ERROR_OVERLAP);
  EXPECT_EQ(gsst_decompress_execute(decompress.get(), frame.data() + frame_bytes, before.size(), nullptr),
            GSST_OK);
}

TEST(LibraryMisuse, OptionsOutOfRangeAreRefused) {
  const auto expect_refused = [](const auto& change, std::size_t input_bytes = 10) {
    gsst_compress_options options = compress_options();
    change(options);
    gsst_compress_plan* plan = nullptr;
    gsst_message message;
    EXPECT_EQ(gsst_compress_plan_create(input_bytes, &options, &plan, &message), GSST_ERROR_INVALID_ARGUMENT)
        << message.text;
    EXPECT_EQ(plan, nullptr);
    EXPECT_NE(std::string(message.text), "");
  };
  using Options = gsst_compress_options;
  expect_refused([](Options& options) { options.struct_bytes = 0; });
  expect_refused([](Options& options) { options.reserved = 1; });
  expect_refused([](Options& options) { options.format = 5; });
  expect_refused([](Options& options) { options.block_bytes = (1U << 30) + 1; });
  expect_refused([](Options& options) { options.splits = 1; });
  expect_refused([](Options& options) {
    options.format = GSST_FORMAT_SPLITS;
    options.splits = 65537;
  });
  expect_refused([](Options& options) { options.level = 10; });
  expect_refused([](Options& options) { options.threads = GSST_MAX_THREADS + 1; });
  expect_refused([](Options& options) { options.checksum = 3; });
  expect_refused([](Options& options) { options.strip_codes = 513; });
  expect_refused([](Options& options) {
    options.format = GSST_FORMAT_SPLITS;
    options.strip_codes = 512;
  });
  expect_refused([](Options& options) {
    options.format = GSST_FORMAT_FSST;
    options.checksum = GSST_CHECKSUM_XXH64_TREE;
  });
  expect_refused([](Options& options) {
    options.format = GSST_FORMAT_FSST;
    options.block_bytes = 4'193'271;
  });
  expect_refused([](Options& options) { options.block_bytes = 1; }, (std::size_t{1} << 26) + 1);
  expect_refused([](Options&) {}, std::numeric_limits<std::size_t>::max());
  expect_refused([](Options& options) { options.format = GSST_FORMAT_FSST; },
                 std::numeric_limits<std::size_t>::max());

  const Bytes frame = compress_in_blocks(make_text(10, 1), GSST_FORMAT_SPLITS);
  for (const auto& change :
       {+[](gsst_decompress_options& options) { options.struct_bytes = 1; },
        +[](gsst_decompress_options& options) { options.format = 5; },
        +[](gsst_decompress_options& options) { options.threads = GSST_MAX_THREADS + 1; },
        +[](gsst_decompress_options& options) { options.skip_checksums = 2; }}) {
    gsst_decompress_options options = decompress_options();
    change(options);
    gsst_decompress_plan* plan = nullptr;
    EXPECT_EQ(gsst_decompress_plan_create(frame.data(), frame.size(), &options, &plan, nullptr),
              GSST_ERROR_INVALID_ARGUMENT);
  }
}

// What a program holds that was compiled before fields were added: not a byte more, and 0 is the default.
Bytes options_of_size(std::uint32_t size, std::uint32_t struct_bytes) {
  gsst_compress_options options = compress_options(GSST_FORMAT_TILES);
  options.struct_bytes = struct_bytes;
  options.block_bytes = 20'000;
  // Behind the end of a shorter struct nobody reads.
  options.checksum = 99;
  Bytes bytes(size);
  std::memcpy(bytes.data(), &options, std::min<std::size_t>(size, sizeof(options)));
  return bytes;
}

TEST(LibraryMisuse, OptionsOfAnEarlierVersionTakeDefaultsForWhatTheyLack) {
  constexpr std::uint32_t earlier_bytes = offsetof(gsst_compress_options, checksum);
  const Bytes options = options_of_size(earlier_bytes, earlier_bytes);
  const Bytes input = make_text(50'000, 3);
  gsst_compress_plan* created = nullptr;
  gsst_message message;
  ASSERT_EQ(
      gsst_compress_plan_create(input.size(), reinterpret_cast<const gsst_compress_options*>(options.data()),
                                &created, &message),
      GSST_OK)
      << message.text;
  const OwnedCompressPlan plan(created);
  Bytes frame(gsst_compress_plan_output_bytes(plan.get()));
  std::size_t bytes = 0;
  ASSERT_EQ(gsst_compress_execute(plan.get(), input.data(), input.size(), frame.data(), frame.size(), &bytes,
                                  nullptr),
            GSST_OK);
  frame.resize(bytes);
  auto info = detail::sized<gsst_frame_info>();
  ASSERT_EQ(gsst_inspect(frame.data(), frame.size(), &info, nullptr), GSST_OK);
  EXPECT_EQ(info.format, GSST_FORMAT_TILES);
  EXPECT_EQ(info.block_bytes, 20'000);
}

TEST(LibraryMisuse, OptionsOfALaterVersionOrOfNoneAreRefused) {
  constexpr std::uint32_t now = sizeof(gsst_compress_options);
  for (const std::uint32_t struct_bytes : {0U, 4U, 24U, 33U, now - 1, now + 1, now + 8, ~0U}) {
    const Bytes options = options_of_size(std::max(now, 48U), struct_bytes);
    gsst_compress_plan* plan = nullptr;
    gsst_message message;
    EXPECT_EQ(gsst_compress_plan_create(10, reinterpret_cast<const gsst_compress_options*>(options.data()),
                                        &plan, &message),
              GSST_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(plan, nullptr);
    EXPECT_EQ(std::string(message.text),
              "options: struct_bytes is " + std::to_string(struct_bytes) + ", expected 32 to 40");
  }
}

TEST(LibraryMisuse, ResultsAreWrittenAsFarAsTheStructOfAnEarlierVersionGoes) {
  constexpr Grown result{.struct_bytes = 0, .number = 7, .later = 8};
  Grown earlier{.struct_bytes = offsetof(Grown, later), .number = 1, .later = 2};
  store_struct("info", result, &earlier);
  EXPECT_EQ(earlier.struct_bytes, 8);
  EXPECT_EQ(earlier.number, 7);
  EXPECT_EQ(earlier.later, 2);

  Grown now{.struct_bytes = sizeof(Grown), .number = 1, .later = 2};
  store_struct("info", result, &now);
  EXPECT_EQ(now.struct_bytes, 16);
  EXPECT_EQ(now.number, 7);
  EXPECT_EQ(now.later, 8);

  for (const std::uint32_t struct_bytes : {0U, 4U, 12U, 24U, ~0U}) {
    Grown refused{.struct_bytes = struct_bytes, .number = 1, .later = 2};
    EXPECT_THROW(store_struct("info", result, &refused), std::invalid_argument);
    EXPECT_EQ(refused.number, 1);
    EXPECT_EQ(refused.later, 2);
  }
}

// Calls `fill` with structs of sizes that no version has: each is refused and stays as it is.
template <typename Struct, typename Fill>
void expect_other_sizes_are_refused(const Fill& fill) {
  constexpr std::uint32_t now = sizeof(Struct);
  for (const std::uint32_t struct_bytes : {0U, 4U, now - 8, now - 1, now + 1, now + 8, ~0U}) {
    Struct result;
    std::memset(&result, 0xa5, sizeof(result));
    result.struct_bytes = struct_bytes;
    const Struct before = result;
    EXPECT_EQ(fill(&result), GSST_ERROR_INVALID_ARGUMENT) << struct_bytes;
    EXPECT_EQ(std::memcmp(&result, &before, sizeof(result)), 0) << struct_bytes;
  }
}

TEST(LibraryMisuse, ResultsOfALaterVersionOrOfNoneAreRefused) {
  const Bytes frame = compress_in_blocks(make_text(3000, 5), GSST_FORMAT_SPLITS);
  const OwnedDecompressPlan plan = plan_decompression(frame, decompress_options());
  expect_other_sizes_are_refused<gsst_frame_info>([&](gsst_frame_info* info) {
    gsst_message message;
    const gsst_error error = gsst_inspect(frame.data(), frame.size(), info, &message);
    EXPECT_EQ(std::string(message.text),
              "info: struct_bytes is " + std::to_string(info->struct_bytes) + ", expected 48");
    return error;
  });
  expect_other_sizes_are_refused<gsst_frame_info>(
      [&](gsst_frame_info* info) { return gsst_decompress_plan_info(plan.get(), info); });
  expect_other_sizes_are_refused<gsst_block_info>(
      [&](gsst_block_info* info) { return gsst_decompress_plan_block(plan.get(), 0, info); });
  expect_other_sizes_are_refused<gsst_read_info>([&](gsst_read_info* info) {
    GuardedOutput output(10);
    const gsst_range range{.offset = 0, .bytes = 10, .output_offset = 0};
    const gsst_error error = gsst_decompress_ranges(plan.get(), &range, 1, output.data(), 10, info, nullptr);
    EXPECT_TRUE(output.is_untouched());
    return error;
  });
}

TEST(LibraryMisuse, InputOfAnotherSizeThanPlannedIsRefused) {
  const Bytes input = make_text(101, 1);
  const OwnedCompressPlan plan = plan_compression(100, compress_options());
  GuardedOutput output(10'000);
  std::size_t bytes = 0;
  EXPECT_EQ(
      gsst_compress_execute(plan.get(), input.data(), input.size(), output.data(), 10'000, &bytes, nullptr),
      GSST_ERROR_INVALID_ARGUMENT);
  EXPECT_TRUE(output.is_untouched());
}

// Formats that the command knows and the interface has no number for. Small inputs are stored raw, which a
// decoder of any format would copy.
TEST(LibraryMisuse, FramesOfOtherSeriesAreRefused) {
  unsigned refused = 0;
  for (const reference::Codec* const codec : reference::registered_codecs()) {
    if (!codec->is_framed() || codec->traits().format <= format::BlockFormat::tiles) continue;
    for (const Bytes& input : {Bytes{1, 2, 3}, Bytes(10'000, 0)}) {
      Bytes frame;
      try {
        frame = reference::encode_file(*codec, input);
      } catch (const std::runtime_error&) {
        // The library has no encoder that calls another library.
        continue;
      }
      Bytes output;
      gsst_message message;
      EXPECT_EQ(decompress_guarded(frame, decompress_options(), &output, &message), GSST_ERROR_WRONG_FORMAT);
      EXPECT_EQ(std::string(message.text),
                "the frame is of format " + std::string(codec->name()) + ", which the library does not read");
      auto info = detail::sized<gsst_frame_info>();
      EXPECT_EQ(gsst_inspect(frame.data(), frame.size(), &info, &message), GSST_ERROR_WRONG_FORMAT);
      ++refused;
    }
  }
  EXPECT_GT(refused, 0U);
}

TEST(LibraryMisuse, OtherFormatsAreToldApart) {
  const Bytes input = make_text(3000, 5);
  Bytes output;
  gsst_message message;
  EXPECT_EQ(decompress_guarded(input, decompress_options(), &output, &message), GSST_ERROR_WRONG_FORMAT);
  EXPECT_EQ(decompress_guarded({}, decompress_options(), &output, &message), GSST_ERROR_WRONG_FORMAT);
  auto info = detail::sized<gsst_frame_info>();
  EXPECT_EQ(gsst_inspect(input.data(), input.size(), &info, &message), GSST_ERROR_WRONG_FORMAT);
  EXPECT_EQ(info.compressed_bytes, 0);

  const Bytes frame = compress_in_blocks(input, GSST_FORMAT_SPLITS);
  EXPECT_EQ(decompress_guarded(frame, decompress_options(GSST_FORMAT_FSST), &output, &message),
            GSST_ERROR_WRONG_FORMAT);
  EXPECT_EQ(decompress_guarded(frame, decompress_options(GSST_FORMAT_TILES), &output, &message),
            GSST_ERROR_WRONG_FORMAT);
  EXPECT_EQ(std::string(message.text), "the frame is of format splits, not tiles");
  EXPECT_EQ(decompress_guarded(compress_in_blocks(input, GSST_FORMAT_FSST), decompress_options(), &output,
                               &message),
            GSST_ERROR_WRONG_FORMAT);

  Bytes next_version = frame;
  ++next_version[8];
  EXPECT_EQ(decompress_guarded(next_version, decompress_options(), &output, &message),
            GSST_ERROR_UNSUPPORTED_VERSION);
}

TEST(LibraryMisuse, EveryDamagedByteIsSeen) {
  const Bytes input = make_text(1500, 6);
  for (const gsst_format format :
       {GSST_FORMAT_BLOCKS, GSST_FORMAT_SPLITS, GSST_FORMAT_COALESCED, GSST_FORMAT_TILES}) {
    const Bytes frame = compress_in_blocks(input, format);
    Bytes output;
    gsst_message message;
    gsst_decompress_options unchecked = decompress_options();
    unchecked.skip_checksums = 1;
    for (std::size_t position = 0; position < frame.size(); ++position) {
      Bytes damaged = frame;
      damaged[position] ^= 0x41;
      const gsst_error error = decompress_guarded(damaged, decompress_options(), &output, &message);
      // A table's unused fields and unused symbols may be anything.
      if (error == GSST_OK) {
        EXPECT_EQ(output, input) << "byte " << position;
      } else {
        EXPECT_NE(std::string(message.text), "") << "byte " << position;
      }
      decompress_guarded(damaged, unchecked, &output, &message);
    }
    for (std::size_t size = 0; size < frame.size(); ++size) {
      EXPECT_NE(decompress_guarded(std::span(frame).first(size), decompress_options(), &output, &message),
                GSST_OK);
    }
  }
}

TEST(LibraryMisuse, ChecksumsAreComparedUnlessSkipped) {
  Bytes frame = compress_in_blocks(reference::test::make_random(500, 7), GSST_FORMAT_BLOCKS);
  auto block = detail::sized<gsst_block_info>();
  ASSERT_EQ(gsst_decompress_plan_block(plan_decompression(frame, decompress_options()).get(), 0, &block),
            GSST_OK);
  ASSERT_EQ(block.layout, GSST_LAYOUT_RAW);
  ++frame[block.compressed_offset];

  Bytes output;
  gsst_message message;
  EXPECT_EQ(decompress_guarded(frame, decompress_options(), &output, &message), GSST_ERROR_WRONG_CHECKSUM);
  EXPECT_EQ(std::string(message.text).find("block 0: checksum"), 0) << message.text;
  gsst_decompress_options unchecked = decompress_options();
  unchecked.skip_checksums = 1;
  EXPECT_EQ(decompress_guarded(frame, unchecked, &output, &message), GSST_OK);
}

TEST(LibraryMisuse, GoldenInvalidFilesAreRefusedWithTheirField) {
  const std::string folder = "data/golden/";
  std::ifstream list(folder + "golden.json");
  const nlohmann::json golden = nlohmann::json::parse(list);
  std::size_t refused = 0;
  for (const nlohmann::json& entry : golden.at("invalid")) {
    const std::string file = entry.at("file");
    SCOPED_TRACE(file);
    const bool is_fsst = entry.at("container") == "fsst";
    Bytes output;
    gsst_message message;
    const gsst_error error = decompress_guarded(
        reference::test::read_file(folder + file),
        decompress_options(is_fsst ? GSST_FORMAT_FSST : GSST_FORMAT_DEFAULT), &output, &message);
    EXPECT_NE(error, GSST_OK);
    EXPECT_NE(error, GSST_ERROR_INTERNAL) << message.text;
    if (error == GSST_ERROR_WRONG_FORMAT) continue;
    const std::string field = entry.at("field");
    EXPECT_NE(std::string(message.text).find(field), std::string::npos) << message.text;
    EXPECT_EQ(error == GSST_ERROR_WRONG_CHECKSUM, field.ends_with("checksum"));
    ++refused;
  }
  EXPECT_GT(refused, 100);
}

TEST(LibraryMisuse, EveryErrorHasItsText) {
  std::vector<std::string> texts;
  for (int error = GSST_OK; error <= GSST_ERROR_INTERNAL; ++error) {
    texts.emplace_back(gsst_error_text(static_cast<gsst_error>(error)));
  }
  texts.emplace_back("unknown error");
  std::ranges::sort(texts);
  EXPECT_EQ(std::ranges::adjacent_find(texts), texts.end());
}

}  // namespace
}  // namespace gsst::library
