#include "experiments/measure_cpu/strings_command.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "common/format/gsst/block.hpp"
#include "common/format/gsst/string_column.hpp"
#include "common/frame/frame.hpp"
#include "experiments/measure/shared/error.hpp"
#include "experiments/measure/shared/input_file.hpp"
#include "reference_cpu/decoder.hpp"
#include "reference_cpu/level.hpp"
#include "reference_cpu/memory_codec.hpp"
#include "reference_cpu/table_encoder.hpp"

namespace gsst::experiments {
namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::uint64_t offset_bytes = 4;

/// Strings one behind the other.
struct Strings {
  Bytes bytes;
  std::vector<std::uint64_t> lengths;
};

/// What a text is stored as, without and with lengths.
struct Stored {
  /// Frames and tables included.
  std::uint64_t bytes;
  /// What the lengths are of: strings, or their codes.
  std::vector<std::uint64_t> lengths;
};

Strings lines_of(std::span<const std::uint8_t> text) {
  Strings strings;
  strings.bytes.reserve(text.size());
  while (!text.empty()) {
    const auto newline = std::ranges::find(text, std::uint8_t{'\n'});
    const auto length = static_cast<std::size_t>(newline - text.begin());
    strings.bytes.insert(strings.bytes.end(), text.begin(), newline);
    strings.lengths.push_back(length);
    text = text.subspan(std::min(length + 1, text.size()));
  }
  return strings;
}

/// The codes of strings, encoded with the tables of `frame` for the block in which each starts.
class StringEncoder {
public:
  explicit StringEncoder(const format::FrameView& frame) : frame_(frame) {}

  /// Bytes of the codes of `string`, which starts at `offset` of the frame's output. Decodes them again.
  std::uint64_t encode(std::uint64_t offset, std::span<const std::uint8_t> string) {
    while (block_ + 1 < frame_.index.entries.size() &&
           offset >= frame_.index.entries[block_ + 1].uncompressed_offset) {
      ++block_;
      encoder_.reset();
    }
    if (!encoder_) take_block();
    // A block without a table is stored as it is, and so are its strings.
    if (is_raw_) return string.size();
    codes_.resize(std::max(codes_.size(), reference::Encoder::max_encoded_bytes(string.size())));
    const std::size_t bytes = encoder_->encode(string, codes_);
    decoded_.assign(string.size(), 0);
    const auto problem = reference::decode(table_, std::span(codes_).first(bytes), decoded_);
    if (problem != reference::DecodeProblem::none || !std::ranges::equal(decoded_, string)) {
      throw MismatchError("the string at byte " + std::to_string(offset) +
                          ": decoded bytes differ from the input");
    }
    return bytes;
  }

private:
  void take_block() {
    const format::BlockView block = format::parse_block(frame_, block_);
    is_raw_ = block.layout == format::BlockLayout::raw;
    table_ = block.table;
    encoder_.emplace(table_, reference::level_parse(reference::default_level));
  }

  const format::FrameView& frame_;
  std::size_t block_ = 0;
  bool is_raw_ = false;
  format::SymbolTable table_;
  std::optional<reference::TableEncoder> encoder_;
  Bytes codes_;
  Bytes decoded_;
};

/// Bytes of the codes in all blocks.
std::uint64_t code_bytes(const format::FrameView& frame) {
  std::uint64_t bytes = 0;
  for (std::size_t block = 0; block < frame.index.entries.size(); ++block) {
    bytes += format::parse_block(frame, block).codes.size();
  }
  return bytes;
}

Stored store_each(const format::FrameView& frame, std::uint64_t frame_bytes, const Strings& strings) {
  Stored stored{.bytes = frame_bytes - code_bytes(frame), .lengths = {}};
  StringEncoder encoder(frame);
  std::uint64_t offset = 0;
  for (const std::uint64_t length : strings.lengths) {
    const std::uint64_t bytes = encoder.encode(offset, std::span(strings.bytes).subspan(offset, length));
    stored.lengths.push_back(bytes);
    stored.bytes += bytes;
    offset += length;
  }
  return stored;
}

/// Bytes that a column takes for these lengths, which are read back from it.
std::uint64_t packed_bytes(const std::vector<std::uint64_t>& lengths) {
  constexpr format::ColumnType type{.kind = format::StringKind::bytes, .offset_width = 8};
  format::StringColumnWriter writer(type);
  for (const std::uint64_t length : lengths) writer.add_string(length);
  const auto header = format::build_column_header(type);
  Bytes column(header.begin(), header.end());
  // What the frame holds is not looked at.
  const Bytes end = writer.finish(0);
  column.insert(column.end(), end.begin(), end.end());
  const format::StringColumnView view = format::parse_string_column(column);
  for (std::uint64_t string = 0; string < lengths.size(); ++string) {
    const auto in_group = static_cast<std::uint32_t>(string % format::strings_per_group);
    if (view.group(string / format::strings_per_group).length(in_group) != lengths[string]) {
      throw MismatchError("string " + std::to_string(string) + ": its length is not what the column says");
    }
  }
  return column.size();
}

std::vector<nlohmann::ordered_json> rows_of(const std::string& variant, const Stored& stored,
                                            std::uint64_t string_bytes, const Dataset& dataset) {
  std::vector<nlohmann::ordered_json> rows;
  const auto add = [&](const char* offsets, std::uint64_t bytes) {
    rows.push_back(row_to_json({.stage = "reference_cpu/blocks",
                                .variant = variant,
                                .parameters = {{"offsets", offsets},
                                               {"offset_bytes", bytes},
                                               {"strings", stored.lengths.size()},
                                               {"block_bytes", reference::CompressOptions{}.block_bytes},
                                               {"level", reference::default_level}},
                                .uncompressed_bytes = string_bytes,
                                .compressed_bytes = stored.bytes + bytes,
                                .seconds = {}},
                               dataset));
  };
  add("none", 0);
  add("32 bits", (stored.lengths.size() + 1) * offset_bytes);
  add("packed", packed_bytes(stored.lengths));
  return rows;
}

/// The strings, and their frame.
struct StringsFrame {
  explicit StringsFrame(const std::filesystem::path& input) : strings(lines_of(read_input_file(input))) {
    if (strings.bytes.empty()) throw InputError(input.string() + ": has no strings with bytes");
    bytes = reference::compress(strings.bytes, {.format = format::BlockFormat::blocks, .split_count = 1});
    if (reference::decompress_frame(bytes) != strings.bytes) {
      throw MismatchError("the blocks: decoded bytes differ from the input");
    }
  }

  Strings strings;
  Bytes bytes;
};

}  // namespace

std::vector<StudiedWork> strings_works(const StringsOptions& options, const Dataset& dataset) {
  const auto frame = std::make_shared<const StringsFrame>(options.input);
  const auto work = [&](const char* variant, const std::function<Stored()>& store) {
    return StudiedWork{.key = variant, .measure = [=] {
                         return rows_of(variant, store(), frame->strings.bytes.size(), dataset);
                       }};
  };
  return {work("block",
               [frame] { return Stored{.bytes = frame->bytes.size(), .lengths = frame->strings.lengths}; }),
          work("each string", [frame] {
            return store_each(format::parse_frame(frame->bytes), frame->bytes.size(), frame->strings);
          })};
}

}  // namespace gsst::experiments
