#include "reference_cpu/part_decoder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "common/format/error.hpp"
#include "common/format/formats.hpp"
#include "common/format/gsst/block.hpp"
#include "common/format/gsst/block_header.hpp"
#include "reference_cpu/block_codec.hpp"
#include "reference_cpu/test_inputs.hpp"
#include "reference_cpu/train.hpp"

namespace gsst::reference {
namespace {

using format::BlockFormat;

format::BlockView view_of(const format::BuiltBlock& built, BlockFormat block_format, std::size_t input_bytes,
                          std::uint32_t split_count) {
  return format::parse_block(built.bytes,
                             {.format = block_format,
                              .layout = built.layout,
                              .uncompressed_bytes = static_cast<std::uint32_t>(input_bytes),
                              .split_count = split_count},
                             0);
}

// Each part alone gives its slice of the input, and every byte is found in the part that holds it.
void expect_parts(const PartDecoder& decoder, const std::vector<std::uint8_t>& input) {
  std::size_t end = 0;
  for (std::uint32_t index = 0; index < decoder.part_count(); ++index) {
    const BlockPart part = decoder.part(index);
    ASSERT_EQ(part.output_offset, end);
    end += part.output_bytes;
    std::vector<std::uint8_t> output(part.output_bytes);
    decoder.decode(index, output);
    ASSERT_TRUE(std::equal(output.begin(), output.end(), input.begin() + part.output_offset)) << index;
    if (part.output_bytes == 0) continue;
    ASSERT_EQ(decoder.part_of(part.output_offset), index);
    ASSERT_EQ(decoder.part_of(part.output_offset + part.output_bytes - 1), index);
  }
  EXPECT_EQ(end, input.size());
}

TEST(PartDecoder, EachPartGivesItsBytes) {
  for (const std::size_t bytes : {1UL, 10UL, 100UL, 40'000UL}) {
    const std::vector<std::uint8_t> input = test::make_mixed(bytes, 1);
    const format::SymbolTable table = train_symbol_table(input);
    for (const BlockFormat block_format :
         {BlockFormat::blocks, BlockFormat::splits, BlockFormat::coalesced, BlockFormat::tiles}) {
      // 6 splits of 10 bytes leave the last one empty.
      for (const std::uint32_t splits : {1U, 6U, 255U, 300U}) {
        if (splits != 1 && !format::has_splits(block_format)) continue;
        SCOPED_TRACE(std::string(format::block_format_name(block_format)) + ", " + std::to_string(bytes) +
                     " bytes, " + std::to_string(splits) + " splits");
        const format::BuiltBlock built = encode_block(block_format, table, input, splits);
        const format::BlockView view = view_of(built, block_format, input.size(), splits);
        expect_parts(PartDecoder(view, 0), input);
      }
    }
  }
}

TEST(PartDecoder, RawBlockIsOnePart) {
  const std::vector<std::uint8_t> input = test::make_random(500, 2);
  const format::BuiltBlock built{.layout = format::BlockLayout::raw, .bytes = input};
  const format::BlockView view = view_of(built, BlockFormat::splits, input.size(), 8);
  const PartDecoder decoder(view, 0);
  EXPECT_EQ(decoder.part_count(), 1);
  expect_parts(decoder, input);
}

TEST(PartDecoder, DamagedPartIsNamedAndTheOthersAreNot) {
  const std::vector<std::uint8_t> input = test::make_text(4000, 3);
  const format::BuiltBlock built = encode_block(BlockFormat::splits, train_symbol_table(input), input, 4);
  format::BuiltBlock damaged = built;
  const format::BlockView whole = view_of(built, BlockFormat::splits, input.size(), 4);
  const auto codes_begin = static_cast<std::size_t>(whole.codes.data() - built.bytes.data());
  const format::Split split = whole.split(2);
  damaged.bytes[codes_begin + split.first_code + split.code_bytes - 1] = format::escape_code;
  const format::BlockView view = view_of(damaged, BlockFormat::splits, input.size(), 4);
  const PartDecoder decoder(view, 5);
  std::vector<std::uint8_t> output(decoder.part(2).output_bytes);
  try {
    decoder.decode(2, output);
    ADD_FAILURE() << "decoded without an error";
  } catch (const format::FormatError& error) {
    EXPECT_EQ(error.block(), 5);
    EXPECT_EQ(error.field(), "codes of split 2");
  }
  EXPECT_NO_THROW(decoder.decode(1, std::span(output).first(decoder.part(1).output_bytes)));
}

}  // namespace
}  // namespace gsst::reference
