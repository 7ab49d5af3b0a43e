#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/format/formats.hpp"
#include "common/pipeline/memory_limit.hpp"
#include "common/stage/encode_plans.hpp"
#include "common/stage/registry.hpp"
#include "common/stage/run_decode.hpp"
#include "reference_cpu/codec.hpp"
#include "reference_cpu/test_inputs.hpp"
#include "stages/suite/stage_case.hpp"

// Files of every stage that encodes, on every executor of this machine: the codec of the format reads them.
namespace gsst::stage {
namespace {

using Bytes = std::vector<std::uint8_t>;

class EncodeFileTest : public testing::TestWithParam<StageCase> {
protected:
  const RegisteredStage& stage() const { return *find_stage(GetParam().stage, Operation::encode); }
  const EncodePlans& plans() const { return *stage().encode.at(GetParam().executor); }

  // Encodes `input`, checks what is counted, and gives the file.
  Bytes encode(const FileToEncode& file, std::span<const std::uint8_t> input) const {
    Bytes encoded;
    format::StreamTotals seen;
    const format::EncodeTotals totals =
        plans().encode(file, format::reader_of(input), format::writer_to(encoded),
                       [&](const format::StreamTotals& now) { seen = now; });
    EXPECT_EQ(totals.input_bytes, input.size());
    EXPECT_EQ(totals.output_bytes, encoded.size());
    EXPECT_LE(seen.input_bytes, totals.input_bytes);
    EXPECT_FALSE(totals.how.empty());
    return encoded;
  }
};

INSTANTIATE_TEST_SUITE_P(AllStages, EncodeFileTest, testing::ValuesIn(stage_cases(Operation::encode)),
                         case_name);

TEST_P(EncodeFileTest, WritesTheFormatOfItsDescription) {
  EXPECT_TRUE(handles_format(stage(), stage().description.format));
  for (const format::BlockFormat format : plans().formats()) {
    EXPECT_TRUE(format::find_format(format));
    EXPECT_TRUE(handles_format(stage(), format));
  }
}

TEST_P(EncodeFileTest, ItsFilesAreReadByTheCodecOfTheFormat) {
  Bytes text = reference::test::make_text(10'000, 3);
  shorten_where_slow(GetParam().executor, text, 7000);
  for (const format::BlockFormat format : plans().formats()) {
    SCOPED_TRACE(format::block_format_name(format));
    const FileToEncode file = {.format = format, .settings = {.block_bytes = 3000, .threads = 1}};
    EXPECT_NO_THROW(plans().check(file));
    for (const Bytes& input : {Bytes(), Bytes{42}, reference::test::make_random(1000, 5), text}) {
      SCOPED_TRACE(input.size());
      EXPECT_TRUE(reference::decode_file(reference::codec_of(format), encode(file, input), 1) == input);
    }
  }
}

TEST_P(EncodeFileTest, AnInputThatFailsIsNotTheEndOfTheFile) {
  const format::ReadFunction fail = [](std::span<std::uint8_t>) -> std::size_t {
    throw std::runtime_error("the input fails");
  };
  for (const format::BlockFormat format : plans().formats()) {
    Bytes encoded;
    EXPECT_THROW(plans().encode({.format = format}, fail, format::writer_to(encoded), {}),
                 std::runtime_error);
  }
}

TEST_P(EncodeFileTest, SaysThatTheMemoryHoldsNoBlock) {
  const Bytes input(100, 'a');
  for (const format::BlockFormat format : plans().formats()) {
    EXPECT_THROW(encode({.format = format, .memory_bytes = 1}, input), pipeline::MemoryLimitError);
  }
}

}  // namespace
}  // namespace gsst::stage
