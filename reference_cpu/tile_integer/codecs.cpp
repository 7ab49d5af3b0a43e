#include <array>
#include <string>

#include "common/format/error.hpp"
#include "common/format/payload_rules.hpp"
#include "common/format/tile_integer/bit_packing.hpp"
#include "common/format/tile_integer/delta_nsf.hpp"
#include "common/format/tile_integer/layouts.hpp"
#include "common/format/tile_integer/null_suppression.hpp"
#include "common/format/tile_integer/run_lengths.hpp"
#include "common/format/tile_integer/tile_integer.hpp"
#include "common/format/tile_integer/value_dictionary.hpp"
#include "common/format/tile_integer/variable_bytes.hpp"
#include "common/frame/frame_reader.hpp"
#include "common/frame/payload_checker.hpp"
#include "reference_cpu/codec.hpp"
#include "reference_cpu/tile_integer/bp_block.hpp"
#include "reference_cpu/tile_integer/delta_nsf_block.hpp"
#include "reference_cpu/tile_integer/dfor_block.hpp"
#include "reference_cpu/tile_integer/dict_block.hpp"
#include "reference_cpu/tile_integer/file_writer.hpp"
#include "reference_cpu/tile_integer/for_block.hpp"
#include "reference_cpu/tile_integer/ifor_block.hpp"
#include "reference_cpu/tile_integer/nsf_block.hpp"
#include "reference_cpu/tile_integer/nsv_block.hpp"
#include "reference_cpu/tile_integer/ofor_block.hpp"
#include "reference_cpu/tile_integer/rfor_block.hpp"
#include "reference_cpu/tile_integer/rle_block.hpp"
#include "reference_cpu/tile_integer/type_option.hpp"
#include "reference_cpu/tile_integer/vfor_block.hpp"

namespace gsst::reference {
namespace tile_integer {
namespace {

using Bytes = std::vector<std::uint8_t>;
using ByteSpan = std::span<const std::uint8_t>;
using format::tile_integer::Type;

// What differs between the formats.
struct BlockCoding {
  format::BlockFormat format;
  // What is said of values after their type or size.
  const char* how;
  Bytes (*encode)(ByteSpan block, Type type);
  Bytes (*decode)(ByteSpan payload, std::uint32_t uncompressed_bytes);
  std::span<const CodecOption> options = type_options;
  Type (*chosen_type)(const CodecOptions& options) = type_of;
  std::string (*describe)(Type type) = [](Type type) {
    return "type " + std::string(format::tile_integer::shape_of(type).name);
  };
};

// NOLINTNEXTLINE(cppcoreguidelines-virtual-class-destructor): nobody owns codecs by a pointer to their base.
class IntegerCodec final : public Codec {
public:
  constexpr explicit IntegerCodec(const BlockCoding& coding)
      : Codec({.format = coding.format, .suffix = ".gsst", .options = coding.options}), coding_(coding) {}

  void check(const EncodeSettings& /*settings*/) const override {}

  EncodeTotals encode(const format::ReadFunction& read, const format::WriteFunction& write,
                      const EncodeSettings& settings,
                      const format::ProgressFunction& progress) const override {
    const Type type = coding_.chosen_type(settings.options);
    EncodeTotals totals = write_frame_file(traits().format, read, write, settings, progress,
                                           [&](ByteSpan block) { return encode_block(block, type); });
    totals.how = "values of " + coding_.describe(type) + coding_.how + ", ";
    return totals;
  }

  format::StreamTotals decode(const format::ReadFunction& read, const format::WriteFunction& write,
                              unsigned /*threads*/, const format::ProgressFunction& progress) const override {
    format::FrameReader frame(read);
    format::PayloadChecker payloads(frame.header());
    format::StreamTotals totals;
    while (const auto record = frame.next_record()) {
      Bytes output = frame.read_payload();
      payloads.check_next(output, *record);
      if (record->layout == format::BlockLayout::raw) {
        output.resize(record->uncompressed_bytes);
      } else {
        output = coding_.decode(output, record->uncompressed_bytes);
      }
      if (format::checksum(record->checksum_kind, output) != record->checksum) {
        throw format::FormatError(totals.blocks, "checksum", "is not that of the decoded bytes");
      }
      write(output);
      totals.output_bytes += output.size();
      totals.input_bytes = frame.bytes_read();
      ++totals.blocks;
      if (progress) progress(totals);
    }
    totals.input_bytes = frame.bytes_read();
    return totals;
  }

  Bytes decode_payload(ByteSpan payload, const format::BlockExpectation& expected,
                       const format::PayloadPart& /*part*/, std::uint64_t /*block*/) const override {
    return coding_.decode(payload, expected.uncompressed_bytes);
  }

  FileListing list(ByteSpan file) const override { return list_frame(format::parse_frame(file)); }

private:
  BlockPayload encode_block(ByteSpan block, Type type) const {
    BlockPayload encoded = {.layout = format::tile_integer::packed_layout,
                            .payload = coding_.encode(block, type)};
    const std::uint64_t raw_bytes = format::raw_payload_bytes(coding_.format, block.size());
    if (encoded.payload.size() < raw_bytes) return encoded;
    encoded = {.layout = format::BlockLayout::raw, .payload = Bytes(block.begin(), block.end())};
    encoded.payload.resize(raw_bytes, 0);
    return encoded;
  }

  BlockCoding coding_;
};

// Of formats without a type.
std::string size_text(Type type) {
  return std::to_string(format::tile_integer::shape_of(type).value_bytes) + " bytes";
}

constexpr IntegerCodec for_codec({.format = format::tile_integer::for_format,
                                  .how = " by reference",
                                  .encode = encode_for,
                                  .decode = decode_for});
constexpr IntegerCodec dfor_codec({.format = format::tile_integer::dfor_format,
                                   .how = " by difference from the one before",
                                   .encode = encode_dfor,
                                   .decode = decode_dfor});
constexpr IntegerCodec rfor_codec({.format = format::tile_integer::rfor_format,
                                   .how = " in runs",
                                   .encode = encode_rfor,
                                   .decode = decode_rfor});
constexpr IntegerCodec ifor_codec({.format = format::tile_integer::ifor_format,
                                   .how = " by reference, interleaved",
                                   .encode = encode_ifor,
                                   .decode = decode_ifor});
constexpr IntegerCodec nsf_codec({.format = format::tile_integer::nsf_format,
                                  .how = " without the highest bytes",
                                  .encode = encode_nsf,
                                  .decode = decode_nsf,
                                  .options = value_bytes_options,
                                  .chosen_type = type_of_size,
                                  .describe = size_text});
constexpr IntegerCodec bp_codec({.format = format::tile_integer::bp_format,
                                 .how = " by their bits alone",
                                 .encode = encode_bp,
                                 .decode = decode_bp,
                                 .options = value_bytes_options,
                                 .chosen_type = type_of_size,
                                 .describe = size_text});
constexpr IntegerCodec vfor_codec({.format = format::tile_integer::vfor_format,
                                   .how = " by reference, vertical",
                                   .encode = encode_vfor,
                                   .decode = decode_vfor});
constexpr IntegerCodec ofor_codec({.format = format::tile_integer::ofor_format,
                                   .how = " by reference, with one width for 128",
                                   .encode = encode_ofor,
                                   .decode = decode_for});
constexpr IntegerCodec rle_codec({.format = format::tile_integer::rle_format,
                                  .how = " with the lengths of their runs",
                                  .encode = encode_rle,
                                  .decode = decode_rle,
                                  .options = value_bytes_options,
                                  .chosen_type = type_of_size,
                                  .describe = size_text});
constexpr IntegerCodec rle_nsf_codec({.format = format::tile_integer::rle_nsf_format,
                                      .how = " with the lengths of their runs, without the highest bytes",
                                      .encode = encode_rle_nsf,
                                      .decode = decode_rle,
                                      .options = value_bytes_options,
                                      .chosen_type = type_of_size,
                                      .describe = size_text});
constexpr IntegerCodec nsv_codec({.format = format::tile_integer::nsv_format,
                                  .how = " with as many as each needs",
                                  .encode = encode_nsv,
                                  .decode = decode_nsv,
                                  .options = value_bytes_options,
                                  .chosen_type = type_of_size,
                                  .describe = size_text});
constexpr IntegerCodec dict_codec({.format = format::tile_integer::dict_format,
                                   .how = " by their places in a dictionary",
                                   .encode = encode_dict,
                                   .decode = decode_dict,
                                   .options = value_bytes_options,
                                   .chosen_type = type_of_size,
                                   .describe = size_text});
constexpr IntegerCodec delta_nsf_codec(
    {.format = format::tile_integer::delta_nsf_format,
     .how = " by difference from the one before, without the highest bytes",
     .encode = encode_delta_nsf,
     .decode = decode_delta_nsf,
     .options = value_bytes_options,
     .chosen_type = type_of_size,
     .describe = size_text});
constexpr std::array<const Codec*, 13> codecs = {
    &for_codec, &dfor_codec, &rfor_codec,    &ifor_codec, &vfor_codec, &ofor_codec,     &nsf_codec,
    &bp_codec,  &rle_codec,  &rle_nsf_codec, &nsv_codec,  &dict_codec, &delta_nsf_codec};

}  // namespace
}  // namespace tile_integer

std::span<const Codec* const> codecs_of_tile_integer() {
  return tile_integer::codecs;
}

}  // namespace gsst::reference
