#include <array>
#include <stdexcept>
#include <string>

#include "common/format/error.hpp"
#include "common/format/zero_length/dictionary.hpp"
#include "common/format/zero_length/markers.hpp"
#include "common/format/zero_length/zero_length.hpp"
#include "common/frame/frame_reader.hpp"
#include "common/frame/payload_checker.hpp"
#include "reference_cpu/codec.hpp"
#include "reference_cpu/zero_length/bare_file.hpp"
#include "reference_cpu/zero_length/dictionary_block.hpp"
#include "reference_cpu/zero_length/elements.hpp"
#include "reference_cpu/zero_length/file_writer.hpp"
#include "reference_cpu/zero_length/marked_elements.hpp"
#include "reference_cpu/zero_length/marker_options.hpp"

namespace gsst::reference {
namespace zero_length {
namespace {

using Bytes = std::vector<std::uint8_t>;
using format::FormatError;
using format::zero_length::Status;

// What a format says of its blocks.
struct Elements {
  DecodedElements (*decode)(std::span<const std::uint8_t> payload, std::uint64_t most_bytes);
  // What of a block may be wrong, and a status in words.
  const char* field;
  const char* (*problem_of)(Status status);
};

// What all formats of the series have in common.
class ZeroLengthCodec : public Codec {
public:
  using Codec::Codec;

  void check(const EncodeSettings& /*settings*/) const final {}

  EncodeTotals encode(const format::ReadFunction& read, const format::WriteFunction& write,
                      const EncodeSettings& settings, const format::ProgressFunction& progress) const final {
    constexpr std::uint64_t memory_bytes = std::uint64_t{1} << 30;
    return write_file(traits().format, read, write, settings, progress, encoder_of(settings), memory_bytes);
  }

protected:
  ~ZeroLengthCodec() = default;

private:
  EncodeElements encoder_of(const EncodeSettings& settings) const {
    if (traits().format == format::zero_length::dictionary_format) return encode_dictionary;
    if (traits().format != format::zero_length::markers_format) return encode_elements;
    return [choice = marker_choice(settings.options)](std::span<const std::uint8_t> block,
                                                      std::span<std::uint8_t> payload) {
      return encode_marked(block, payload, choose_markers(block, choice));
    };
  }
};

// NOLINTNEXTLINE(cppcoreguidelines-virtual-class-destructor): nobody owns codecs by a pointer to their base.
class FrameCodec final : public ZeroLengthCodec {
public:
  constexpr FrameCodec(format::BlockFormat format, std::span<const CodecOption> options,
                       const Elements& elements)
      : ZeroLengthCodec({.format = format, .suffix = ".gsst", .options = options}), elements_(elements) {}

  format::StreamTotals decode(const format::ReadFunction& read, const format::WriteFunction& write,
                              unsigned /*threads*/, const format::ProgressFunction& progress) const override {
    format::FrameReader frame(read);
    format::PayloadChecker payloads(frame.header());
    format::StreamTotals totals;
    while (const auto record = frame.next_record()) {
      Bytes output = frame.read_payload();
      payloads.check_next(output, *record);
      if (record->layout != format::BlockLayout::raw) {
        output = decode_block(output, record->uncompressed_bytes, totals.blocks);
      }
      if (format::checksum(record->checksum_kind, output) != record->checksum) {
        throw FormatError(totals.blocks, "checksum", "is not that of the decoded bytes");
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

  Bytes decode_payload(std::span<const std::uint8_t> payload, const format::BlockExpectation& expected,
                       const format::PayloadPart& /*part*/, std::uint64_t block) const override {
    return decode_block(payload, expected.uncompressed_bytes, block);
  }

  FileListing list(std::span<const std::uint8_t> file) const override {
    return list_frame(format::parse_frame(file));
  }

private:
  // A block, whose record says how many bytes it decodes to.
  Bytes decode_block(std::span<const std::uint8_t> payload, std::uint64_t uncompressed_bytes,
                     std::uint64_t block) const {
    DecodedElements decoded = elements_.decode(payload, uncompressed_bytes);
    if (decoded.status == Status::decoded && decoded.bytes.size() < uncompressed_bytes) {
      decoded.status = Status::output_too_short;
    }
    if (decoded.status == Status::decoded) return std::move(decoded.bytes);
    throw FormatError(block, elements_.field,
                      elements_.problem_of(decoded.status) + std::string(", at byte ") +
                          std::to_string(decoded.position) + " of them");
  }

  Elements elements_;
};

// NOLINTNEXTLINE(cppcoreguidelines-virtual-class-destructor): nobody owns codecs by a pointer to their base.
class BareCodec final : public ZeroLengthCodec {
public:
  constexpr BareCodec()
      : ZeroLengthCodec({.format = format::zero_length::bare_format,
                         .suffix = ".zle",
                         .tool = "Strauss's zero-length encoder"}) {}

  format::StreamTotals decode(const format::ReadFunction& read, const format::WriteFunction& write,
                              unsigned /*threads*/, const format::ProgressFunction& progress) const override {
    return BareReader(read).read_all(write, progress);
  }

  Bytes decode_payload(std::span<const std::uint8_t> /*payload*/,
                       const format::BlockExpectation& /*expected*/, const format::PayloadPart& /*part*/,
                       std::uint64_t /*block*/) const override {
    throw std::invalid_argument("no frame holds blocks of format zle_bare");
  }

  // Files store no uncompressed sizes: this looks at all elements.
  FileListing list(std::span<const std::uint8_t> file) const override {
    const format::ReadFunction read = format::reader_of(file);
    BareReader reader(read);
    const format::StreamTotals totals = reader.read_all([](std::span<const std::uint8_t>) {}, {});
    FileListing listing = {.blocks = totals.blocks, .uncompressed_bytes = totals.output_bytes};
    if (totals.blocks != 0) listing.block_bytes = reader.block_bytes();
    return listing;
  }
};

constexpr BareCodec bare_codec;
constexpr FrameCodec frame_codec(format::zero_length::frame_format, {},
                                 {.decode = decode_elements,
                                  .field = "elements",
                                  .problem_of = format::zero_length::problem_of});
constexpr FrameCodec markers_codec(format::zero_length::markers_format, marker_options,
                                   {.decode = decode_marked,
                                    .field = "elements",
                                    .problem_of = format::zero_length::problem_with_markers});
constexpr FrameCodec dictionary_codec(format::zero_length::dictionary_format, {},
                                      {.decode = decode_dictionary,
                                       .field = "indexes",
                                       .problem_of = format::zero_length::problem_with_indexes});
constexpr std::array<const Codec*, 4> codecs = {&bare_codec, &frame_codec, &markers_codec, &dictionary_codec};

}  // namespace
}  // namespace zero_length

std::span<const Codec* const> codecs_of_zero_length() {
  return zero_length::codecs;
}

}  // namespace gsst::reference
