#include "cli/input_format.hpp"

#include "cli/command_error.hpp"
#include "cli/output_name.hpp"
#include "common/format/formats.hpp"
#include "common/format/frame.hpp"

namespace gsst::cli {

static_assert(recognised_bytes == format::frame_header_bytes);

format::BlockFormat recognise_format(std::span<const std::uint8_t> start, const std::string& name,
                                     std::optional<format::BlockFormat> wanted) {
  if (wanted == format::BlockFormat::fsst) return *wanted;
  if (format::starts_with_frame_magic(start)) {
    const format::BlockFormat found = format::parse_frame_header(start).format;
    if (wanted && *wanted != found) {
      throw CommandError(ExitCode::invalid_input,
                         name + ": has format " + std::string(format::block_format_name(found)) + ", not " +
                             std::string(format::block_format_name(*wanted)));
    }
    return found;
  }
  if (!wanted && has_fsst_suffix(name)) return format::BlockFormat::fsst;
  throw CommandError(
      ExitCode::invalid_input,
      name + (start.empty() ? ": is empty, and a gsst frame is not"
                            : ": is no gsst frame: it does not start with the magic of one; a file "
                              "of FSST's own tool needs --format fsst"));
}

}  // namespace gsst::cli
