#include "reference_cpu/codec.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "common/format/formats.hpp"
#include "reference_cpu/gsst/settings.hpp"
#include "reference_cpu/level.hpp"
#include "reference_cpu/memory_codec.hpp"
#include "reference_cpu/test_inputs.hpp"

namespace gsst::reference {
namespace {

using format::BlockFormat;

TEST(Codecs, EveryFormatHasOneAndOneIsTheDefault) {
  const std::vector<const Codec*> codecs = registered_codecs();
  const std::vector<format::Format> formats = format::registered_formats();
  ASSERT_EQ(codecs.size(), formats.size());
  for (std::size_t i = 0; i < codecs.size(); ++i) {
    EXPECT_EQ(codecs[i]->traits().format, formats[i].id);
    EXPECT_EQ(codecs[i]->name(), formats[i].name);
    EXPECT_EQ(&codec_of(formats[i].id), codecs[i]);
    EXPECT_EQ(codecs[i]->is_framed(), formats[i].rules != nullptr);
    // How else would messages speak of its files?
    EXPECT_EQ(codecs[i]->is_framed(), codecs[i]->traits().tool.empty());
  }
  EXPECT_EQ(std::ranges::count_if(codecs, [](const Codec* codec) { return codec->traits().is_default; }), 1);
  EXPECT_TRUE(default_codec().traits().is_default);
  EXPECT_THROW(codec_of(BlockFormat{65535}), std::invalid_argument);
}

TEST(Codecs, OptionsWithTheSameNameAreEqual) {
  std::map<std::string_view, const CodecOption*> options;
  for (const Codec* const codec : registered_codecs()) {
    for (const CodecOption& option : codec->traits().options) {
      const CodecOption& first = *options.emplace(option.name, &option).first->second;
      EXPECT_EQ(option.help, first.help) << option.name;
      EXPECT_EQ(option.least, first.least) << option.name;
      EXPECT_EQ(option.most, first.most) << option.name;
      EXPECT_TRUE(std::ranges::equal(option.values, first.values)) << option.name;
      EXPECT_TRUE(std::ranges::equal(option.names, first.names)) << option.name;
    }
  }
}

TEST(Codecs, GiveBackWhatTheyGot) {
  const std::vector<std::uint8_t> input = test::make_text(20'000, 3);
  for (const Codec* const codec : registered_codecs()) {
    SCOPED_TRACE(std::string(codec->name()));
    const bool is_one_block = codec->name() == "zlib";
    const EncodeSettings settings = {.block_bytes = is_one_block ? input.size() : 6000, .threads = 1};
    const std::vector<std::uint8_t> file = encode_file(*codec, input, settings);
    EXPECT_EQ(decode_file(*codec, file, 1), input);
    const FileListing listing = codec->list(file);
    EXPECT_EQ(listing.uncompressed_bytes, input.size());
    EXPECT_EQ(listing.blocks, is_one_block ? 1U : 4U);
    EXPECT_TRUE(decode_file(*codec, encode_file(*codec, {}, {.block_bytes = 6000}), 1).empty());
  }
}

TEST(Codecs, OfSeriesGsstMakeWhatItsEncodersMake) {
  const std::vector<std::uint8_t> input = test::make_text(20'000, 3);
  const EncodeSettings settings = {.block_bytes = 6000,
                                   .level = 2,
                                   .checksum_kind = format::ChecksumKind::xxh64_tree,
                                   .options = {{"splits", 7}},
                                   .threads = 1};
  EXPECT_EQ(encode_file(codec_of(BlockFormat::coalesced), input, settings),
            compress(input, {.format = BlockFormat::coalesced,
                             .block_bytes = 6000,
                             .split_count = 7,
                             .level = 2,
                             .checksum_kind = format::ChecksumKind::xxh64_tree}));
  const CompressOptions tiles = compress_options(
      BlockFormat::tiles,
      {.options = {{"code-bits", 12}, {"codes-per-lane", 24}, {"strip-codes", 1024}, {"parse", 1}}});
  EXPECT_EQ(tiles.format, BlockFormat::tiles);
  EXPECT_EQ(tiles.code_bits, 12U);
  EXPECT_EQ(tiles.codes_per_lane, 24U);
  EXPECT_EQ(tiles.strip_codes, 1024U);
  EXPECT_EQ(tiles.parse, Parse::optimal);
  EXPECT_EQ(compress_options(BlockFormat::tiles, {}).parse, std::nullopt);
}

TEST(Codecs, HaveTheLevelsOfTheirEncoders) {
  for (const BlockFormat format : {BlockFormat::fsst, BlockFormat::splits, BlockFormat::tiles}) {
    EXPECT_EQ(codec_of(format).traits().max_level, max_level);
  }
  EXPECT_EQ(EncodeSettings().level, default_level);
}

}  // namespace
}  // namespace gsst::reference
