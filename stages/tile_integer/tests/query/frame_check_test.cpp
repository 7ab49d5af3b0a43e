#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <random>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "common/format/bytes.hpp"
#include "common/format/error.hpp"
#include "common/format/expect_format_error.hpp"
#include "common/format/formats.hpp"
#include "common/format/tile_integer/bit_packing.hpp"
#include "common/format/tile_integer/null_suppression.hpp"
#include "common/format/tile_integer/tile_integer.hpp"
#include "common/frame/frame.hpp"
#include "common/frame/payload_checker.hpp"
#include "common/stage/default_stages.hpp"
#include "common/stage/run_decode.hpp"
#include "reference_cpu/codec.hpp"
#include "stages/tile_integer/shared/frame_check.hpp"
#include "stages/tile_integer/tests/query/run_query.hpp"

// Frames that only the executor reads are refused for the fields for which the host's rules refuse them, and
// decoders do with what is left.
namespace gsst::tile_integer {
namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::array checked_formats = {format::tile_integer::for_format,  format::tile_integer::dfor_format,
                                        format::tile_integer::rfor_format, format::tile_integer::ifor_format,
                                        format::tile_integer::bp_format,   format::tile_integer::nsf_format};
constexpr std::uint64_t seed_of_frames = 17;

// Values of `value_bytes` bytes in runs, two units of any format and a part of one, and a rest of a byte.
Bytes values_to_check(std::uint32_t value_bytes, std::mt19937_64& random) {
  Bytes bytes;
  while (bytes.size() < std::size_t{2200} * value_bytes) {
    const std::uint64_t value = random() % 100;
    for (std::uint64_t left = 1 + random() % 40; left > 0; --left) {
      for (std::uint32_t byte = 0; byte < value_bytes; ++byte) {
        bytes.push_back(static_cast<std::uint8_t>(value >> (8 * byte)));
      }
    }
  }
  bytes.resize(std::size_t{2200} * value_bytes + 1);
  return bytes;
}

// A payload of a whole block of such values.
struct CheckedSeed {
  std::uint32_t uncompressed_bytes;
  Bytes payload;
};

CheckedSeed seed_of(format::BlockFormat format, std::uint32_t value_bytes, std::mt19937_64& random) {
  const reference::Codec& codec = reference::codec_of(format);
  const Bytes values = values_to_check(value_bytes, random);
  const auto type = value_bytes == 8 ? format::tile_integer::Type::u64 : format::tile_integer::Type::i16;
  const format::CodecOptions options = codec.has_option("type")
                                           ? format::CodecOptions{{"type", static_cast<std::uint64_t>(type)}}
                                           : format::CodecOptions{{"value-bytes", value_bytes}};
  const Bytes frame =
      reference::encode_file(codec, values, {.block_bytes = values.size(), .options = options});
  const format::FrameView view = format::parse_frame(frame);
  EXPECT_EQ(view.index.entries.at(0).record.layout, format::tile_integer::packed_layout);
  const auto payload = view.payload(0);
  return {.uncompressed_bytes = static_cast<std::uint32_t>(values.size()),
          .payload = {payload.begin(), payload.end()}};
}

// Payloads in one frame, each in a block of as many bytes. Empty ones are raw blocks of zeros.
Bytes frame_of_payloads(format::BlockFormat format, std::uint32_t uncompressed_bytes,
                        std::span<const Bytes> payloads) {
  const format::FrameHeader header = {.format = format, .block_size = uncompressed_bytes, .split_count = 1};
  const auto header_bytes = format::build_frame_header(header);
  Bytes frame(header_bytes.begin(), header_bytes.end());
  format::FrameIndex index{.entries = {}, .checksum_kind = header.checksum_kind};
  const Bytes raw(format::raw_payload_bytes(format, uncompressed_bytes));
  for (const Bytes& given : payloads) {
    const Bytes& payload = given.empty() ? raw : given;
    const format::BlockRecord record = {
        .layout = given.empty() ? format::BlockLayout::raw : format::tile_integer::packed_layout,
        .payload_bytes = static_cast<std::uint32_t>(payload.size()),
        .uncompressed_bytes = uncompressed_bytes,
        .checksum = 0,
        .checksum_kind = header.checksum_kind};
    const auto record_bytes = format::build_block_record(record);
    frame.insert(frame.end(), record_bytes.begin(), record_bytes.end());
    frame.insert(frame.end(), payload.begin(), payload.end());
    format::append_block(index, record);
  }
  const Bytes end = format::build_frame_end(index);
  frame.insert(frame.end(), end.begin(), end.end());
  return frame;
}

// What an executor says of a frame, and what a decoder makes of what it accepts.
struct CheckedRun {
  frame::FrameResult result;
  std::vector<std::uint32_t> status;
  Bytes output;
};

frame::FrameBounds bounds_of_frame(format::BlockFormat format, std::size_t frame_bytes,
                                   std::uint64_t block_bytes, std::uint64_t block_count) {
  // More than the frame has of all.
  return {.format = format,
          .split_count = 1,
          .frame_bytes = frame_bytes + 5,
          .output_bytes = block_count * block_bytes + 100,
          .block_bytes = block_bytes + 3,
          .block_count = block_count + 2};
}

template <typename Value>
Value value_of(const Bytes& bytes) {
  Value value;
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

template <typename Buffer>
CheckedRun check_on(stage::Executor executor, const Bytes& frame, const frame::FrameBounds& bounds) {
  const Bytes padded = [&] {
    Bytes bytes = frame;
    bytes.resize(bounds.frame_bytes);
    return bytes;
  }();
  Buffer input(padded);
  Bytes size(sizeof(std::uint64_t));
  format::store_little_endian<8>(size.data(), frame.size());
  Buffer frame_bytes(size);
  GuardedMemory<Buffer> checked(sizeof(frame::CheckedFrame));
  GuardedMemory<Buffer> pieces(frame::index_piece_words(bounds.block_count) * sizeof(std::uint64_t));
  GuardedMemory<Buffer> entries(bounds.block_count * format::index_entry_bytes);
  GuardedMemory<Buffer> refusals(bounds.block_count * sizeof(std::uint32_t));
  GuardedMemory<Buffer> status(bounds.block_count * sizeof(std::uint32_t));
  GuardedMemory<Buffer> result(sizeof(frame::FrameResult));
  GuardedMemory<Buffer> output(bounds.output_bytes);
  const IntegerFrameCheck& kernels = stage::KernelsOn<IntegerFrameCheck>::get(executor);
  const frame::FrameCheck check = {.bounds = bounds,
                                   .fixed_payload_bytes = 0,
                                   .frame = input.data(),
                                   .frame_bytes = reinterpret_cast<const std::uint64_t*>(frame_bytes.data()),
                                   .checked = static_cast<frame::CheckedFrame*>(checked.given().data),
                                   .index_pieces = static_cast<std::uint64_t*>(pieces.given().data),
                                   .entries = static_cast<std::uint8_t*>(entries.given().data),
                                   .refusals = static_cast<std::uint32_t*>(refusals.given().data)};
  kernels.enqueue_check(check, nullptr);
  // As one that is only given bounds.
  const stage::RegisteredStage& decoder =
      *stage::default_stage(bounds.format, stage::Operation::decode, executor);
  const std::unique_ptr<stage::Plan> plan = decoder.decode.at(executor).make(
      {.frame = {.bytes = nullptr,
                 .frame_bytes = bounds.frame_bytes,
                 .index_offset = 0,
                 .uncompressed_bytes = bounds.output_bytes,
                 .block_count = static_cast<std::uint32_t>(bounds.block_count),
                 .split_count = 1,
                 .format = bounds.format,
                 .payload_traits = format::rules_of(bounds.format).limits().all_traits,
                 .has_raw_blocks = true},
       .index_is_apart = true});
  GuardedMemory<Buffer> scratch(bytes_of(*plan, stage::Role::scratch));
  stage::enqueue_all(*plan,
                     std::array{stage::to_read(input.data(), bounds.frame_bytes), output.given(),
                                scratch.given(), status.given(), entries.given()},
                     nullptr);
  kernels.enqueue_result(check, static_cast<frame::FrameResult*>(result.given().data),
                         static_cast<std::uint32_t*>(status.given().data), nullptr);
  stage::wait_for(executor);
  for (const auto* memory : {&checked, &pieces, &entries, &refusals, &status, &result, &output, &scratch}) {
    EXPECT_FALSE(memory->is_left());
  }
  CheckedRun run = {.result = value_of<frame::FrameResult>(result.content()),
                    .status = std::vector<std::uint32_t>(bounds.block_count),
                    .output = output.content()};
  const Bytes words = status.content();
  std::memcpy(run.status.data(), words.data(), words.size());
  return run;
}

// Calls `expect`(run) for each executor of this machine.
void on_executors(const Bytes& frame, const frame::FrameBounds& bounds,
                  const std::function<void(const CheckedRun&)>& expect) {
  expect(check_on<stage::HostBuffer>(stage::Executor::simt, frame, bounds));
#if GSST_WITH_CUDA
  if (stage::is_available(stage::Executor::gpu)) {
    expect(check_on<cuda::DeviceBuffer>(stage::Executor::gpu, frame, bounds));
  }
#endif
}

std::string refused_field_of(std::uint32_t word) {
  if ((word & 0xff) != frame::refused_block_status) return word == 0 ? "" : "status " + std::to_string(word);
  return field_name(static_cast<PayloadProblem>(frame::problem_of_refused_block(word)));
}

// The blocks of a frame whose index is right, one by one. Returns the fields for which some are refused.
std::set<std::string> expect_same_refusals(const Bytes& frame) {
  const format::FrameView view = format::parse_frame(frame);
  const std::size_t block_count = view.index.entries.size();
  std::vector<std::string> expected;
  std::vector<Bytes> outputs;
  for (std::size_t block = 0; block < block_count; ++block) {
    const format::BlockRecord& record = view.index.entries[block].record;
    try {
      format::PayloadChecker payloads(view.header);
      payloads.check_next(view.payload(block), record);
      expected.emplace_back();
      outputs.push_back(record.layout == format::BlockLayout::raw
                            ? Bytes(record.uncompressed_bytes)
                            : reference::codec_of(view.header.format)
                                  .decode_payload(view.payload(block),
                                                  format::expectation_of(view.header, record), {}, block));
    } catch (const format::FormatError& error) {
      expected.push_back(error.field());
      outputs.emplace_back();
    }
  }
  on_executors(frame, bounds_of_frame(view.header.format, frame.size(), view.header.block_size, block_count),
               [&](const CheckedRun& run) {
                 EXPECT_EQ(run.result.problem, frame::FrameProblem::none);
                 EXPECT_EQ(run.result.block_count, block_count);
                 for (std::size_t block = 0; block < block_count; ++block) {
                   EXPECT_EQ(refused_field_of(run.status[block]), expected[block]) << "block " << block;
                   const std::span of_block =
                       std::span(run.output).subspan(block * view.header.block_size, outputs[block].size());
                   EXPECT_TRUE(std::ranges::equal(of_block, outputs[block])) << "block " << block;
                 }
                 for (std::size_t block = block_count; block < run.status.size(); ++block) {
                   EXPECT_EQ(run.status[block], 0U);
                 }
               });
  return {expected.begin(), expected.end()};
}

// Payloads with a word or a byte of another value: all of the header and of the first starts, and some of the
// rest.
std::vector<Bytes> damaged_payloads(const Bytes& payload, std::mt19937_64& random) {
  std::vector<Bytes> damaged = {payload, {}};
  const auto change = [&](std::size_t place, std::uint8_t value) {
    damaged.push_back(payload);
    damaged.back()[place] = value;
  };
  for (std::size_t place = 0; place < 40; ++place) {
    change(place, static_cast<std::uint8_t>(payload[place] + 1));
    change(place, 0xff);
  }
  for (std::size_t i = 0; i < 120; ++i) {
    change(random() % payload.size(), static_cast<std::uint8_t>(random() % 2 == 0 ? random() : random() % 4));
  }
  // Near the starts of units, where numbers of runs, references and widths are.
  for (std::size_t i = 0; i < 120; ++i) {
    const std::size_t unit = random() % 4;
    const std::size_t start = 4 * format::load_little_endian<4>(&payload[16 + 4 * unit]);
    change((start + random() % 28) % payload.size(), static_cast<std::uint8_t>(random()));
  }
  change(payload.size() - 1, 1);
  for (const std::size_t size : {std::size_t{8}, std::size_t{24}, payload.size() / 32 * 16 + 8,
                                 payload.size() - 16, payload.size() + 16}) {
    damaged.push_back(payload);
    damaged.back().resize(size);
  }
  return damaged;
}

class FrameCheckTest : public testing::TestWithParam<format::BlockFormat> {};

TEST_P(FrameCheckTest, RefusesBlocksForTheFieldsForWhichTheHostDoes) {
  std::mt19937_64 random(seed_of_frames);
  std::set<std::string> fields;
  for (const std::uint32_t value_bytes : {2U, 8U}) {
    SCOPED_TRACE(std::to_string(value_bytes) + " bytes, seed " + std::to_string(seed_of_frames));
    const CheckedSeed seed = seed_of(GetParam(), value_bytes, random);
    const Bytes frame =
        frame_of_payloads(GetParam(), seed.uncompressed_bytes, damaged_payloads(seed.payload, random));
    fields.merge(expect_same_refusals(frame));
  }
  std::set<std::string> expected = {"", "reserved", "number of values", "payload bytes", "padding"};
  if (GetParam() == format::tile_integer::nsf_format) {
    expected.insert({"bytes of a value", "bytes of a number"});
  } else {
    expected.insert({"type", "starts"});
    const bool has_one_width =
        GetParam() == format::tile_integer::ifor_format || GetParam() == format::tile_integer::bp_format;
    if (!has_one_width) expected.insert("widths");
    if (GetParam() == format::tile_integer::rfor_format) {
      expected.insert({"number of runs", "lengths", "largest run block"});
    } else {
      expected.insert(GetParam() == format::tile_integer::ifor_format ? "largest interleaved block"
                                                                      : "largest packed block");
    }
  }
  EXPECT_EQ(fields, expected);
}

// A frame of three blocks, the second one raw, whose index is changed, and its checksum with it.
class ChangedIndex {
public:
  explicit ChangedIndex(format::BlockFormat format) {
    std::mt19937_64 random(seed_of_frames);
    const CheckedSeed seed = seed_of(format, 8, random);
    block_bytes_ = seed.uncompressed_bytes;
    frame_ = frame_of_payloads(format, block_bytes_, std::array{seed.payload, Bytes(), seed.payload});
  }

  // With another byte in the record of block `block`, in its place and in the index.
  Bytes with(std::size_t block, std::size_t byte, std::uint8_t value) const {
    const format::FrameView view = format::parse_frame(frame_);
    Bytes changed = frame_;
    const std::size_t index = view.index_offset();
    const std::size_t record_in_entry = format::index_entry_bytes - format::record_header_bytes;
    changed[view.index.entries[block].payload_offset - format::record_header_bytes + byte] = value;
    changed[index + block * format::index_entry_bytes + record_in_entry + byte] = value;
    const std::size_t index_bytes = changed.size() - format::frame_trailer_bytes - index;
    const std::uint64_t checksum =
        format::checksum(view.header.checksum_kind, std::span(changed).subspan(index, index_bytes));
    format::store_little_endian<8>(&changed[index - 8], checksum);
    return changed;
  }

  std::uint32_t block_bytes() const { return block_bytes_; }

private:
  std::uint32_t block_bytes_ = 0;
  Bytes frame_;
};

TEST_P(FrameCheckTest, RefusesFramesForTheRecordsForWhichTheHostDoes) {
  const ChangedIndex changed_index(GetParam());
  struct Change {
    std::size_t byte;
    std::uint8_t value;
    frame::FrameProblem problem;
    const char* field;
  };
  using frame::FrameProblem;
  // Payload bytes that are not aligned, and too many.
  for (const Change& change : {Change{2, 1, FrameProblem::record_header, "record header"},
                               Change{1, 2, FrameProblem::layout, "layout"},
                               Change{8, 1, FrameProblem::payload_bytes, "payload bytes"},
                               Change{11, 1, FrameProblem::payload_bytes, "payload bytes"},
                               Change{15, 0x40, FrameProblem::uncompressed_bytes, "uncompressed bytes"}}) {
    for (const std::size_t block : {std::size_t{0}, std::size_t{2}}) {
      SCOPED_TRACE("block " + std::to_string(block) + ", byte " + std::to_string(change.byte));
      const Bytes frame = changed_index.with(block, change.byte, change.value);
      format::expect_format_error(block, change.field, [&] { format::parse_frame(frame); });
      on_executors(frame, bounds_of_frame(GetParam(), frame.size(), changed_index.block_bytes(), 3),
                   [&](const CheckedRun& run) {
                     EXPECT_EQ(run.result.problem, change.problem);
                     EXPECT_EQ(run.result.problem_block, block + 1);
                     const auto words = std::span(run.status).first(3);
                     EXPECT_TRUE(std::ranges::all_of(
                         words, [](std::uint32_t word) { return word == frame::refused_frame_status; }));
                   });
    }
  }
}

TEST_P(FrameCheckTest, RefusesARawBlockForItsPadding) {
  std::mt19937_64 random(seed_of_frames);
  const CheckedSeed seed = seed_of(GetParam(), 8, random);
  Bytes frame =
      frame_of_payloads(GetParam(), seed.uncompressed_bytes, std::array{seed.payload, Bytes(), seed.payload});
  const format::IndexEntry raw = format::parse_frame(frame).index.entries.at(1);
  ASSERT_GT(raw.record.payload_bytes, raw.record.uncompressed_bytes);
  frame[raw.payload_offset + raw.record.payload_bytes - 1] = 1;
  EXPECT_EQ(expect_same_refusals(frame), (std::set<std::string>{"", "padding"}));
}

TEST_P(FrameCheckTest, RefusesAFrameWithItsFirstBlock) {
  std::mt19937_64 random(seed_of_frames);
  const CheckedSeed seed = seed_of(GetParam(), 8, random);
  Bytes damaged = seed.payload;
  damaged[12] = 1;
  const Bytes frame = frame_of_payloads(GetParam(), seed.uncompressed_bytes,
                                        std::array{damaged, seed.payload, Bytes(), damaged});
  on_executors(frame, bounds_of_frame(GetParam(), frame.size(), seed.uncompressed_bytes, 4),
               [&](const CheckedRun& run) {
                 const auto problem = static_cast<frame::FrameProblem>(PayloadProblem::reserved);
                 EXPECT_EQ(run.result.problem, problem);
                 EXPECT_EQ(run.result.problem_block, 1U);
                 EXPECT_EQ(run.result.output_bytes, 0U);
                 EXPECT_EQ(refused_field_of(run.status[0]), "reserved");
                 EXPECT_TRUE(std::ranges::all_of(std::span(run.status).subspan(1), [](std::uint32_t word) {
                   return word == frame::refused_frame_status;
                 }));
               });
}

TEST_P(FrameCheckTest, KnowsTheFormatsOfTheSeriesAlone) {
  const ChangedIndex changed_index(GetParam());
  Bytes frame = changed_index.with(0, 0, 1);
  const frame::FrameBounds bounds = bounds_of_frame(GetParam(), frame.size(), changed_index.block_bytes(), 3);
  const auto expect_problem = [&](frame::FrameProblem problem) {
    format::store_little_endian<8>(&frame[32], format::checksum(std::span(frame).first(32)));
    on_executors(frame, bounds, [&](const CheckedRun& run) { EXPECT_EQ(run.result.problem, problem); });
  };
  expect_problem(frame::FrameProblem::none);
  frame[24] = 2;
  expect_problem(frame::FrameProblem::splits_per_block);
  frame[24] = 1;
  frame[10] = 1;
  expect_problem(frame::FrameProblem::format_id);
}

INSTANTIATE_TEST_SUITE_P(Formats, FrameCheckTest, testing::ValuesIn(checked_formats),
                         [](const testing::TestParamInfo<format::BlockFormat>& parameter) {
                           return std::string(format::block_format_name(parameter.param));
                         });

}  // namespace
}  // namespace gsst::tile_integer
