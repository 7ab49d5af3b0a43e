#include "python/integer_blocks.hpp"

#include <utility>

#include "common/format/payload_rules.hpp"
#include "common/format/stream.hpp"
#include "common/format/tile_integer/for_rules.hpp"
#include "reference_cpu/tile_integer/file_writer.hpp"
#include "stages/tile_integer/13_cpu_codec/encode_block.hpp"
#include "stages/tile_integer/13_cpu_codec/packed_blocks.hpp"
#include "stages/tile_integer/13_cpu_deltas/chains.hpp"
#include "stages/tile_integer/13_cpu_runs/run_blocks.hpp"
#include "stages/tile_integer/shared/cpu_instructions.hpp"

namespace gsst::python {
namespace {

using format::tile_integer::Packing;

// How a format is coded here.
struct IntegerCoding {
  Packing packing;
  tile_integer::cpu::DecodeBlock* decode;
};

IntegerCoding words_coding(format::BlockFormat format) {
  using namespace tile_integer::cpu;  // NOLINT(google-build-using-namespace): what is chosen from
  if (format == format::tile_integer::for_format) return {Packing::values, decode_packed_blocks_words};
  if (format == format::tile_integer::dfor_format) return {Packing::chains, decode_chains_words};
  return {Packing::runs, decode_run_blocks_words};
}

IntegerCoding fastest_coding(format::BlockFormat format) {
  IntegerCoding coding = words_coding(format);
#if defined(__x86_64__)
  using namespace tile_integer::cpu;  // NOLINT(google-build-using-namespace): what is chosen from
  if (!has_avx512()) return coding;
  if (coding.packing == Packing::values) coding.decode = decode_packed_blocks_avx512;
  if (coding.packing == Packing::chains) coding.decode = decode_chains_avx512;
  if (coding.packing == Packing::runs) coding.decode = decode_run_blocks_avx512;
#endif
  return coding;
}

}  // namespace

std::vector<std::uint8_t> encode_integers(format::BlockFormat format, format::tile_integer::Type type,
                                          std::span<const std::uint8_t> values,
                                          const format::EncodeSettings& settings) {
  const Packing packing = words_coding(format).packing;
  const auto encode = [&](std::span<const std::uint8_t> block) {
    const std::uint64_t raw_bytes = format::raw_payload_bytes(format, block.size());
    reference::tile_integer::BlockPayload encoded = {.layout = format::tile_integer::packed_layout,
                                                     .payload = std::vector<std::uint8_t>(raw_bytes)};
    encoded.payload.resize(tile_integer::cpu::encode_block(block, packing, type, encoded.payload));
    if (encoded.payload.size() < raw_bytes) return encoded;
    encoded.layout = format::BlockLayout::raw;
    encoded.payload.assign(block.begin(), block.end());
    encoded.payload.resize(raw_bytes, 0);
    return encoded;
  };
  std::vector<std::uint8_t> frame;
  reference::tile_integer::write_frame_file(format, format::reader_of(values), format::writer_to(frame),
                                            settings, {}, encode);
  return frame;
}

void decode_integers(format::BlockFormat format, std::span<const std::uint8_t> payload,
                     std::span<std::uint8_t> output) {
  const IntegerCoding coding = fastest_coding(format);
  const auto type = static_cast<format::tile_integer::Type>(payload[format::tile_integer::type_offset]);
  const format::tile_integer::BlockShape shape = format::tile_integer::block_shape(
      type, static_cast<std::uint32_t>(output.size()), format::tile_integer::values_of_unit(coding.packing));
  coding.decode({.payload = payload.data(),
                 .payload_bytes = payload.size(),
                 .output = output.data(),
                 .values = shape.values,
                 .rest_bytes = shape.rest_bytes,
                 .value_bytes = format::tile_integer::shape_of(type).value_bytes});
}

}  // namespace gsst::python
