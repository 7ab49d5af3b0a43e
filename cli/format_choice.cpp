#include "cli/format_choice.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "cli/compression_settings.hpp"
#include "common/format/stream.hpp"

namespace gsst::cli {
namespace {

// Those that are there to be compared with the others, or for files of other tools. Whoever wants one names
// it.
constexpr std::array<std::string_view, 5> formats_to_compare = {"ifor", "vfor", "ofor", "orc_rle_v1",
                                                                "orc_rle_v2"};

std::uint64_t coded_bytes(const reference::Codec& codec, std::span<const std::uint8_t> start,
                          const format::EncodeSettings& settings) {
  const auto discard = [](std::span<const std::uint8_t> /*bytes*/) {};
  return codec.encode(format::reader_of(start), discard, settings, {}).output_bytes;
}

}  // namespace

std::vector<const reference::Codec*> formats_to_choose_from() {
  std::vector<const reference::Codec*> codecs = reference::registered_codecs();
  std::erase_if(codecs, [](const reference::Codec* codec) {
    return !codec->has_option("type") ||
           std::ranges::find(formats_to_compare, codec->name()) != formats_to_compare.end();
  });
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
