#include "cli/input_format.hpp"

#include <algorithm>

#include "cli/column_decoding.hpp"
#include "cli/command_error.hpp"
#include "cli/output_name.hpp"
#include "common/format/formats.hpp"
#include "common/frame/frame.hpp"
#include "reference_cpu/codec.hpp"

namespace gsst::cli {

static_assert(recognised_bytes == format::frame_header_bytes);
namespace {

bool starts_with(std::span<const std::uint8_t> start, std::span<const std::uint8_t> magic) {
  return start.size() >= magic.size() && std::equal(magic.begin(), magic.end(), start.begin());
}

// The codec of files that are no frames, if they are known by their first bytes or, where these say nothing,
// by the end of the name.
const reference::Codec* recognise_other_file(std::span<const std::uint8_t> start, const std::string& name) {
  for (const reference::Codec* const codec : reference::registered_codecs()) {
    const std::span<const std::uint8_t> magic = codec->traits().magic;
    if (codec->is_framed()) continue;
    if (magic.empty() ? has_suffix(name, *codec) : starts_with(start, magic)) return codec;
  }
  return nullptr;
}

// What to do with a file that only its user can know.
std::string other_files() {
  std::string text;
  for (const reference::Codec* const codec : reference::registered_codecs()) {
    if (codec->is_framed() || !codec->traits().magic.empty()) continue;
    text +=
        "; a file of " + std::string(codec->traits().tool) + " needs --format " + std::string(codec->name());
  }
  return text;
}

}  // namespace

format::BlockFormat recognise_format(std::span<const std::uint8_t> start, const std::string& name,
                                     std::optional<format::BlockFormat> wanted) {
  if (wanted && !reference::codec_of(*wanted).is_framed()) return *wanted;
  if (format::starts_with_frame_magic(start)) {
    const format::BlockFormat found = format::parse_frame_header(start).format;
    if (wanted && *wanted != found) {
      throw CommandError(ExitCode::invalid_input,
                         name + ": has format " + std::string(format::block_format_name(found)) + ", not " +
                             std::string(format::block_format_name(*wanted)));
    }
    return found;
  }
  if (!wanted) {
    const reference::Codec* const found = recognise_other_file(start, name);
    if (found != nullptr) return found->traits().format;
  }
  throw CommandError(
      ExitCode::invalid_input,
      name + (start.empty() ? ": is empty, and a gsst frame is not"
                            : ": is no gsst frame: it does not start with the magic of one" + other_files()));
}

format::BlockFormat format_to_decode(InputFile& input, std::optional<format::BlockFormat> wanted) {
  const std::span<const std::uint8_t> start = input.peek(recognised_bytes);
  if (!wanted) check_column_is_chosen(start, input.name());
  return recognise_format(start, input.name(), wanted);
}

}  // namespace gsst::cli
