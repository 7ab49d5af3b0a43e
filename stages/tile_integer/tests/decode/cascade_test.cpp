#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/format/tile_integer/run_lengths.hpp"
#include "common/stage/frame_shape.hpp"
#include "common/stage/plan.hpp"
#include "reference_cpu/codec.hpp"
#include "stages/suite/stage_test.hpp"
#include "stages/tile_integer/tests/decode/integer_stages.hpp"
#include "stages/tile_integer/tests/decode/values.hpp"

// Decoders that leave numbers in scratch memory from one kernel to the next.
namespace gsst::tile_integer {
namespace {

using format::tile_integer::Type;

std::vector<stage::StageCase> cascades() {
  std::vector<stage::StageCase> cases = integer_decoders();
  std::erase_if(cases, [](const stage::StageCase& one) {
    return !std::string_view(one.stage).starts_with("tile_integer/07_cascaded");
  });
  for (const stage::StageCase& one :
       stage::stage_cases(stage::Operation::decode, format::tile_integer::rle_format)) {
    cases.push_back(one);
  }
  return cases;
}

class CascadeTest : public stage::StageTest {};

INSTANTIATE_TEST_SUITE_P(AllStages, CascadeTest, testing::ValuesIn(stage::in_host_memory(cascades())),
                         stage::case_name);

// Blocks that end anywhere, of values of every size: no kernel writes next to the scratch memory, and there
// are no fewer numbers in it than values.
TEST_P(CascadeTest, KeepsToItsScratchMemory) {
  constexpr std::size_t guard = 256;
  constexpr std::uint8_t canary = 0x77;
  for (const Type type : all_types) {
    for (const std::uint64_t block_bytes : {1U << 20, 3001U}) {
      SCOPED_TRACE(std::string(format::tile_integer::shape_of(type).name) + ", blocks of " +
                   std::to_string(block_bytes) + " bytes");
      const reference::Codec& codec = reference::codec_of(stage().description.format);
      const bool has_type = codec.has_option("type");
      Values values(5003);
      // A run of whole numbers takes more bytes than a few values.
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = i / (has_type ? 3 : 30) % 5;
      const ValueBytes column = bytes_of(values, type);
      const std::uint64_t value_bytes = format::tile_integer::shape_of(type).value_bytes;
      format::CodecOptions options = {{"type", static_cast<std::uint64_t>(type)}};
      if (!has_type) options = {{"value-bytes", value_bytes}};
      const ValueBytes frame = reference::encode_file(
          codec, column, {.block_bytes = block_bytes, .options = options, .threads = 1});
      const stage::FrameOnDevice shape = stage::frame_shape(frame);
      const std::unique_ptr<stage::Plan> plan = stage().decode.at(GetParam().executor).make({.frame = shape});
      const std::uint64_t scratch_bytes = stage::bytes_of(*plan, stage::Role::scratch);
      EXPECT_GE(scratch_bytes, has_type ? column.size() : values.size());
      // In words of 8 bytes, for the alignment.
      std::vector<std::uint64_t> memory((2 * guard + scratch_bytes + 7) / 8, 0x7777777777777777);
      auto* const scratch = reinterpret_cast<std::uint8_t*>(memory.data()) + guard;
      ValueBytes output(column.size());
      std::vector<std::uint32_t> status(shape.block_count, 1);
      stage::enqueue_all(
          *plan,
          std::array{stage::to_read(frame.data(), frame.size()),
                     stage::Given{.data = output.data(), .bytes = output.size()},
                     stage::Given{.data = scratch, .bytes = scratch_bytes},
                     stage::Given{.data = status.data(), .bytes = sizeof(std::uint32_t) * status.size()}},
          nullptr);
      EXPECT_TRUE(output == column);
      const auto is_canary = [](std::uint8_t byte) { return byte == canary; };
      EXPECT_TRUE(std::ranges::all_of(std::span(scratch - guard, guard), is_canary));
      EXPECT_TRUE(std::ranges::all_of(std::span(scratch + scratch_bytes, guard), is_canary));
    }
  }
}

}  // namespace
}  // namespace gsst::tile_integer
