#include "cli/format_choice.hpp"

#include <cstdint>
#include <limits>
#include <span>

#include "cli/compression_settings.hpp"
#include "common/format/stream.hpp"

namespace gsst::cli {
namespace {

std::uint64_t coded_bytes(const reference::Codec& codec, std::span<const std::uint8_t> start,
                          const format::EncodeSettings& settings) {
  const auto discard = [](std::span<const std::uint8_t> /*bytes*/) {};
  return codec.encode(format::reader_of(start), discard, settings, {}).output_bytes;
}

}  // namespace

std::vector<const reference::Codec*> formats_to_choose_from() {
  std::vector<const reference::Codec*> codecs = reference::registered_codecs();
  std::erase_if(codecs, [](const reference::Codec* codec) { return !codec->has_option("type"); });
  return codecs;
}

FormatChoice choose_format(const Options& options, InputFile& input) {
  const format::EncodeSettings settings = compression_settings(options, input.name(), input.size());
  const std::span<const std::uint8_t> start = input.peek(choice_bytes);
  FormatChoice choice = {.codec = nullptr,
                         .reason = "chosen: of the first " + std::to_string(start.size()) + " bytes"};
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  std::string separator = " ";
  for (const reference::Codec* const codec : formats_to_choose_from()) {
    const std::uint64_t bytes = coded_bytes(*codec, start, settings);
    choice.reason += separator + std::string(codec->name()) + " makes " + std::to_string(bytes);
    separator = ", ";
    if (bytes >= least) continue;
    least = bytes;
    choice.codec = codec;
  }
  return choice;
}

}  // namespace gsst::cli
