#include "reference_cpu/codag/zlib_codec.hpp"

#include <stdexcept>
#include <string>

#include "reference_cpu/codag/zlib_file.hpp"

namespace gsst::reference::codag {

void ZlibCodec::check(const EncodeSettings& settings) const {
  deflate_choice(settings);
}

EncodeTotals ZlibCodec::encode(const format::ReadFunction& read, const format::WriteFunction& write,
                               const EncodeSettings& settings,
                               const format::ProgressFunction& progress) const {
  if (settings.block_bytes < 1 || settings.block_bytes > traits().max_block_bytes) {
    throw std::invalid_argument("a block has 1 to " + std::to_string(traits().max_block_bytes) +
                                " bytes, not " + std::to_string(settings.block_bytes));
  }
  const DeflateChoice choice = deflate_choice(settings);
  const std::vector<std::uint8_t> input = format::read_up_to(read, settings.block_bytes + 1);
  if (input.size() > settings.block_bytes) {
    throw std::invalid_argument("a file of zlib is one block, and the input has more than its " +
                                std::to_string(settings.block_bytes) + " bytes");
  }
  const std::vector<std::uint8_t> file = encode_zlib(input, choice);
  write(file);
  EncodeTotals totals;
  totals.input_bytes = input.size();
  totals.output_bytes = file.size();
  totals.blocks = 1;
  totals.how = deflate_text(choice);
  totals.numbers = {{"level", choice.level}};
  if (progress) progress(totals);
  return totals;
}

format::StreamTotals ZlibCodec::decode(const format::ReadFunction& read, const format::WriteFunction& write,
                                       unsigned /*threads*/, const format::ProgressFunction& progress) const {
  return decode_zlib(read, write, progress);
}

std::vector<std::uint8_t> ZlibCodec::decode_payload(std::span<const std::uint8_t> /*payload*/,
                                                    const format::BlockExpectation& /*expected*/,
                                                    const format::PayloadPart& /*part*/,
                                                    std::uint64_t /*block*/) const {
  throw std::invalid_argument("no frame holds blocks of format zlib");
}

FileListing ZlibCodec::list(std::span<const std::uint8_t> file) const {
  FileListing listing = {.checksum = "adler32"};
  const format::StreamTotals totals =
      decode_zlib(format::reader_of(file), [](std::span<const std::uint8_t>) {}, {});
  listing.blocks = totals.blocks;
  listing.block_bytes = totals.output_bytes;
  listing.uncompressed_bytes = totals.output_bytes;
  return listing;
}

}  // namespace gsst::reference::codag
