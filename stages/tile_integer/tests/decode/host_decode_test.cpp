#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "common/format/tile_integer/tile_integer.hpp"
#include "common/frame/frame.hpp"
#include "common/stage/frame_shape.hpp"
#include "common/stage/registry.hpp"
#include "reference_cpu/codec.hpp"
#include "stages/tile_integer/tests/decode/integer_stages.hpp"
#include "stages/tile_integer/tests/decode/values.hpp"

// Every decoder of the series that runs on the host's processors, which read and write many numbers at a
// time.
namespace gsst::tile_integer {
namespace {

std::vector<stage::StageCase> host_decoders() {
  std::vector<stage::StageCase> cases = integer_decoders();
  std::erase_if(cases, [](const stage::StageCase& one) { return one.executor != stage::Executor::cpu; });
  return cases;
}

class HostIntegerDecodeTest : public testing::TestWithParam<stage::StageCase> {
protected:
  static const stage::RegisteredStage& stage() {
    return *stage::find_stage(GetParam().stage, stage::Operation::decode);
  }

  // Decodes from memory that ends with the last payload to memory that ends with the last value: tools see
  // what is read or written after them.
  static ValueBytes decode_alone(const ValueBytes& frame, const stage::ParameterValues& parameters) {
    const format::FrameView view = format::parse_frame(frame);
    const format::IndexEntry& last = view.index.entries.back();
    const ValueBytes payloads(
        frame.begin(),
        frame.begin() + static_cast<std::ptrdiff_t>(last.payload_offset + last.record.payload_bytes));
    stage::DecodeSubject subject = {
        .frame = stage::frame_shape(frame), .index_is_apart = true, .parameters = parameters};
    const auto* const entries = frame.data() + subject.frame.index_offset;
    const ValueBytes index(entries, entries + view.index.entries.size() * format::index_entry_bytes);
    subject.frame.frame_bytes = payloads.size();
    const std::unique_ptr<stage::Plan> plan = stage().decode.at(GetParam().executor).make(subject);
    ValueBytes output(subject.frame.uncompressed_bytes, 0xb7);
    std::vector<std::uint32_t> status(subject.frame.block_count, 99);
    stage::enqueue_all(
        *plan,
        std::array{stage::to_read(payloads.data(), payloads.size()),
                   stage::Given{.data = output.data(), .bytes = output.size()},
                   stage::Given{.data = nullptr, .bytes = 0},
                   stage::Given{.data = status.data(), .bytes = status.size() * sizeof(std::uint32_t)},
                   stage::to_read(index.data(), index.size())},
        nullptr);
    EXPECT_EQ(std::ranges::count(status, 0U), std::ssize(status));
    return output;
  }
};

INSTANTIATE_TEST_SUITE_P(AllStages, HostIntegerDecodeTest, testing::ValuesIn(host_decoders()),
                         stage::case_name);

TEST_P(HostIntegerDecodeTest, ReadsAndWritesNothingAfterABlock) {
  constexpr std::uint64_t seed_of_values = 95;
  std::mt19937_64 random(seed_of_values);
  const std::vector<stage::Parameter>& parameters = stage().description.parameters;
  const std::vector<std::int64_t> sets =
      std::ranges::find(parameters, "vector_bytes", &stage::Parameter::name)->values;
  for (const format::tile_integer::Type type : all_types) {
    for (const std::size_t count : {1, 33, 128, 500, 512, 640, 1023, 1024}) {
      for (const std::size_t run : {1, 3, 70}) {
        Values values;
        const unsigned width = count % 2 == 0 ? format::tile_integer::shape_of(type).max_width() - 1 : 3;
        while (values.size() < count) values.insert(values.end(), run, lowest_bits(random(), width));
        values.resize(count);
        const ValueBytes column = bytes_of(values, type);
        const ValueBytes frame = reference::encode_file(
            reference::codec_of(stage().description.format), column,
            {.block_bytes = 1 << 20, .options = {{"type", static_cast<std::uint64_t>(type)}}, .threads = 1});
        for (const std::int64_t set : sets) {
          SCOPED_TRACE(std::to_string(count) + " values in runs of " + std::to_string(run) + ", set " +
                       std::to_string(set) + ", seed " + std::to_string(seed_of_values));
          ASSERT_TRUE(decode_alone(frame, {{"threads", 1}, {"vector_bytes", set}}) == column);
        }
      }
    }
  }
}

}  // namespace
}  // namespace gsst::tile_integer
