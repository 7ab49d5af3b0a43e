#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "common/format/error.hpp"
#include "common/format/formats.hpp"
#include "common/format/zero_length/dictionary.hpp"
#include "common/format/zero_length/markers.hpp"
#include "common/format/zero_length/zero_length.hpp"
#include "fuzz/kernels/batch.hpp"
#include "fuzz/payload_mutator.hpp"
#include "fuzz/random.hpp"
#include "reference_cpu/codec.hpp"
#include "reference_cpu/test_inputs.hpp"

// That the mutator's inputs are worth their time, and that two readers of the bare form agree.
namespace gsst::fuzz {
namespace {

using Bytes = std::vector<std::uint8_t>;

void expect_worth_their_time(format::BlockFormat format) {
  std::size_t inputs = 0;
  std::size_t reached = 0;
  std::size_t decoded = 0;
  for (std::uint64_t number = 0; number < 16; ++number) {
    Random random(1, number);
    const Batch batch = make_batch(format, 60, random);
    inputs += batch.inputs;
    reached += batch.expected.outputs.size();
    decoded += static_cast<std::size_t>(
        std::ranges::count_if(batch.expected.outputs, [](const auto& output) { return output.has_value(); }));
  }
  EXPECT_GT(2 * reached, inputs);
  EXPECT_GT(5 * decoded, reached);
  EXPECT_GT(10 * (reached - decoded), reached);
}

TEST(FuzzZeroLength, MostInputsReachTheDecoderAndAreBothDecodedAndRefused) {
  for (const format::BlockFormat format :
       {format::zero_length::frame_format, format::zero_length::markers_format,
        format::zero_length::dictionary_format}) {
    SCOPED_TRACE(format::block_format_name(format));
    expect_worth_their_time(format);
  }
}

std::optional<Bytes> decode_otherwise(std::span<const std::uint8_t> file) {
  try {
    return mutator_of(format::zero_length::bare_format).decode_otherwise(file);
  } catch (const format::FormatError&) {
    return std::nullopt;
  }
}

std::optional<Bytes> decode(std::span<const std::uint8_t> file) {
  try {
    return reference::decode_file(reference::codec_of(format::zero_length::bare_format), file, 1);
  } catch (const format::FormatError&) {
    return std::nullopt;
  }
}

TEST(FuzzZeroLength, TwoReadersOfTheBareFormAgreeOnChangedFiles) {
  const Bytes input = reference::test::make_mixed(400, 3);
  const Bytes file = reference::encode_file(reference::codec_of(format::zero_length::bare_format), input,
                                            {.block_bytes = 90});
  EXPECT_EQ(decode_otherwise(file), input);
  std::size_t refused = 0;
  for (std::size_t place = 0; place < file.size(); ++place) {
    for (const int value : {0, 1, 2, 16, 252, 253, 255, file[place] ^ 1}) {
      Bytes changed = file;
      changed[place] = static_cast<std::uint8_t>(value);
      const std::optional<Bytes> output = decode(changed);
      EXPECT_EQ(decode_otherwise(changed), output) << place << ": " << value;
      refused += output ? 0 : 1;
    }
  }
  EXPECT_GT(refused, 100U);
}

}  // namespace
}  // namespace gsst::fuzz
