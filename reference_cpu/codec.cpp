#include "reference_cpu/codec.hpp"

#include <algorithm>
#include <cstddef>
#include <stdexcept>

#include "common/format/formats.hpp"

namespace gsst::reference {
std::string_view Codec::name() const {
  return format::block_format_name(traits_.format);
}

bool Codec::is_framed() const {
  const std::optional<format::Format> found = format::find_format(traits_.format);
  return found && found->rules != nullptr;
}

bool Codec::has_option(std::string_view option) const {
  return std::ranges::find(traits_.options, option, &CodecOption::name) != traits_.options.end();
}

std::vector<const Codec*> registered_codecs() {
  // Two codecs of one format would be two formats of one id.
  static_cast<void>(format::registered_formats());
  std::vector<const Codec*> all;
  for (const CodecsOfSeries codecs_of_series : series_with_codecs()) {
    const std::span<const Codec* const> codecs = codecs_of_series();
    all.insert(all.end(), codecs.begin(), codecs.end());
  }
  std::ranges::sort(all, {}, [](const Codec* codec) { return codec->traits().format; });
  return all;
}

const Codec& codec_of(format::BlockFormat format) {
  for (const Codec* const codec : registered_codecs()) {
    if (codec->traits().format == format) return *codec;
  }
  throw std::invalid_argument("no codec for format " + std::string(format::block_format_name(format)));
}

const Codec& default_codec() {
  for (const Codec* const codec : registered_codecs()) {
    if (codec->traits().is_default) return *codec;
  }
  throw std::logic_error("no codec is the default one");
}

FileListing list_frame(const format::FrameView& frame) {
  return {.blocks = frame.index.entries.size(),
          .block_bytes = frame.header.block_size,
          .numbers = {},
          .uncompressed_bytes = frame.index.uncompressed_bytes,
          .checksum = std::string(format::checksum_kind_name(frame.header.checksum_kind))};
}

std::vector<std::uint8_t> encode_file(const Codec& codec, std::span<const std::uint8_t> input,
                                      const EncodeSettings& settings) {
  std::vector<std::uint8_t> file;
  codec.encode(format::reader_of(input), format::writer_to(file), settings, {});
  return file;
}

std::vector<std::uint8_t> decode_file(const Codec& codec, std::span<const std::uint8_t> file,
                                      unsigned threads) {
  std::vector<std::uint8_t> output;
  codec.decode(format::reader_of(file), format::writer_to(output), threads, {});
  return output;
}

}  // namespace gsst::reference
