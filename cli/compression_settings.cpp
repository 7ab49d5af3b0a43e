#include "cli/compression_settings.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "cli/command_error.hpp"
#include "cli/value_type.hpp"
#include "common/format/part_size.hpp"
#include "common/frame/frame.hpp"

namespace gsst::cli {
namespace {

// Their blocks are chunks, as the containers have them that the formats are of: kernels decode each by
// itself.
constexpr std::array<std::string_view, 4> formats_of_chunks = {"byte_rle", "orc_rle_v1", "orc_rle_v2",
                                                               "deflate"};
constexpr std::uint64_t chunk_bytes = std::uint64_t{128} << 10;

// Of a member of BGZF, as reference::codag::max_bgzf_bytes says: the command includes nothing of a series.
constexpr std::uint64_t most_sized_member_bytes = 0xff00;

// Most bytes per block.
std::uint64_t block_bytes_limit(const reference::Codec& codec, const reference::CodecOptions& options) {
  const auto members = options.find("members");
  return members != options.end() && members->second != 0 ? most_sized_member_bytes
                                                          : codec.traits().max_block_bytes;
}

// A file of it is one block.
constexpr std::string_view format_of_one_block = "zlib";

// Bytes per block where nobody names a size.
std::uint64_t usual_block_bytes(const reference::Codec& codec) {
  if (codec.name() == format_of_one_block) return codec.traits().max_block_bytes;
  const bool has_chunks = std::ranges::find(formats_of_chunks, codec.name()) != formats_of_chunks.end();
  return has_chunks ? chunk_bytes : reference::EncodeSettings().block_bytes;
}

// Bytes per block for `block_count` blocks (thesis Eq 4.2).
std::uint64_t block_bytes_for_count(std::uint64_t block_count, const std::string& name,
                                    std::optional<std::uint64_t> input_size, std::uint64_t limit) {
  if (!input_size) {
    throw CommandError(ExitCode::usage,
                       name + ": --blocks needs an input whose size is known; use --block-size");
  }
  const std::uint64_t block_bytes = format::part_size(*input_size, block_count);
  if (block_bytes > limit) {
    throw CommandError(ExitCode::usage,
                       name + ": " + std::to_string(*input_size) + " bytes in " +
                           std::to_string(block_count) + " blocks are " + std::to_string(block_bytes) +
                           " bytes a block, and a block holds " + std::to_string(limit) + "; use --blocks " +
                           std::to_string(format::part_size(*input_size, limit)) + " or more");
  }
  return std::max<std::uint64_t>(block_bytes, 1);
}

}  // namespace

reference::EncodeSettings compression_settings(const Options& options, const std::string& name,
                                               std::optional<std::uint64_t> input_size) {
  const reference::Codec& codec = chosen_codec(options);
  reference::EncodeSettings settings;
  settings.threads = options.threads;
  settings.options = options.codec_options;
  if (options.level) settings.level = *options.level;
  settings.checksum_kind = options.checksum_kind;

  const std::uint64_t limit = block_bytes_limit(codec, options.codec_options);
  if (options.block_count) {
    const std::uint64_t value = bytes_of_value(options);
    settings.block_bytes =
        format::part_size(block_bytes_for_count(*options.block_count, name, input_size, limit), value) *
        value;
  } else {
    if (limit < codec.traits().max_block_bytes && options.block_bytes > limit) {
      throw CommandError(ExitCode::usage, name + ": --block-size: a member of BGZF has at most " +
                                              std::to_string(limit) + " bytes");
    }
    settings.block_bytes = std::min(options.block_bytes.value_or(usual_block_bytes(codec)), limit);
    check_whole_values(options, "--block-size", settings.block_bytes);
  }
  if (codec.is_framed() && input_size &&
      format::part_size(*input_size, settings.block_bytes) > format::max_block_count) {
    throw CommandError(ExitCode::usage,
                       name + ": needs more than " + std::to_string(format::max_block_count) + " blocks of " +
                           std::to_string(settings.block_bytes) + " bytes; use larger blocks");
  }
  return settings;
}

}  // namespace gsst::cli
