#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/format/codag/codag.hpp"
#include "common/format/payload_rules.hpp"
#include "reference_cpu/codag/byte_rle_block.hpp"
#include "reference_cpu/codag/deflate_codec.hpp"
#include "reference_cpu/codag/frame_decoding.hpp"
#include "reference_cpu/codag/gzip_codec.hpp"
#include "reference_cpu/codag/orc_rle_v1_block.hpp"
#include "reference_cpu/codag/orc_rle_v2_block.hpp"
#include "reference_cpu/codag/zlib_codec.hpp"
#include "reference_cpu/codec.hpp"
#include "reference_cpu/tile_integer/file_writer.hpp"
#include "reference_cpu/tile_integer/type_option.hpp"

namespace gsst::reference {
namespace codag {
namespace {

using ByteVector = std::vector<std::uint8_t>;
using InputSpan = std::span<const std::uint8_t>;
using format::codag::Type;

// What differs between the formats.
struct ChunkCoding {
  format::BlockFormat format;
  // What is said of the blocks, after the type where there is one.
  const char* how;
  ByteVector (*encode)(InputSpan block, const format::CodecOptions& options);
  ByteVector (*decode)(InputSpan payload, std::uint32_t uncompressed_bytes, std::uint64_t block);
  std::span<const CodecOption> options = {};
};

// NOLINTNEXTLINE(cppcoreguidelines-virtual-class-destructor): nobody owns codecs by a pointer to their base.
class ChunkCodec final : public Codec {
public:
  constexpr explicit ChunkCodec(const ChunkCoding& coding)
      : Codec({.format = coding.format, .suffix = ".gsst", .options = coding.options}), coding_(coding) {}

  void check(const EncodeSettings& /*settings*/) const override {}

  EncodeTotals encode(const format::ReadFunction& read, const format::WriteFunction& write,
                      const EncodeSettings& settings,
                      const format::ProgressFunction& progress) const override {
    EncodeTotals totals = tile_integer::write_frame_file(
        traits().format, read, write, settings, progress,
        [&](InputSpan block) { return encode_block(block, settings.options); });
    if (has_option("type")) {
      const Type type = tile_integer::type_of(settings.options);
      totals.how = "values of type " + std::string(format::codag::shape_of(type).name) + " ";
    }
    totals.how += std::string(coding_.how) + ", ";
    return totals;
  }

  format::StreamTotals decode(const format::ReadFunction& read, const format::WriteFunction& write,
                              unsigned /*threads*/, const format::ProgressFunction& progress) const override {
    return decode_frame(read, write, progress, coding_.decode);
  }

  ByteVector decode_payload(InputSpan payload, const format::BlockExpectation& expected,
                            const format::PayloadPart& /*part*/, std::uint64_t block) const override {
    return coding_.decode(payload, expected.uncompressed_bytes, block);
  }

  FileListing list(InputSpan file) const override { return list_frame(format::parse_frame(file)); }

private:
  tile_integer::BlockPayload encode_block(InputSpan block, const format::CodecOptions& options) const {
    tile_integer::BlockPayload encoded = {.layout = format::codag::coded_layout,
                                          .payload = coding_.encode(block, options)};
    if (encoded.payload.size() < block.size()) return encoded;
    return {.layout = format::BlockLayout::raw, .payload = ByteVector(block.begin(), block.end())};
  }

  ChunkCoding coding_;
};

// In the order of the numbers of Packing.
constexpr std::array<std::string_view, 2> packing_names = {"aligned", "tight"};
constexpr std::array<CodecOption, 2> options_of_v2 = {{
    tile_integer::type_options[0],
    {.name = "packing",
     .help = "Widths of packed numbers: aligned (default), 1, 2, 4 or whole\n"
             "bytes, as ORC's writers have them, or tight; for orc_rle_v2",
     .names = packing_names},
}};

Packing packing_of(const format::CodecOptions& options) {
  const auto found = options.find("packing");
  return found == options.end() ? Packing::aligned : static_cast<Packing>(found->second);
}

// Bytes have no type.
ByteVector encode_bytes_with(InputSpan block, const format::CodecOptions& /*options*/) {
  return encode_byte_rle(block);
}

ByteVector encode_v1_with(InputSpan block, const format::CodecOptions& options) {
  return encode_orc_rle_v1(block, tile_integer::type_of(options));
}

ByteVector encode_v2_with(InputSpan block, const format::CodecOptions& options) {
  return encode_orc_rle_v2(block, tile_integer::type_of(options), packing_of(options));
}

constexpr ChunkCodec byte_rle_codec({.format = format::codag::byte_rle_format,
                                     .how = "bytes in runs and lists",
                                     .encode = encode_bytes_with,
                                     .decode = decode_byte_rle});
constexpr ChunkCodec orc_rle_v1_codec({.format = format::codag::orc_rle_v1_format,
                                       .how = "in runs and lists of varints",
                                       .encode = encode_v1_with,
                                       .decode = decode_orc_rle_v1,
                                       .options = tile_integer::type_options});
constexpr ChunkCodec orc_rle_v2_codec({.format = format::codag::orc_rle_v2_format,
                                       .how = "in runs of four kinds",
                                       .encode = encode_v2_with,
                                       .decode = decode_orc_rle_v2,
                                       .options = options_of_v2});
constexpr std::array<const Codec*, 6> chunk_codecs = {&byte_rle_codec, &orc_rle_v1_codec, &orc_rle_v2_codec,
                                                      &deflate_codec,  &gzip_codec,       &zlib_codec};

}  // namespace
}  // namespace codag

std::span<const Codec* const> codecs_of_codag() {
  return codag::chunk_codecs;
}

}  // namespace gsst::reference
