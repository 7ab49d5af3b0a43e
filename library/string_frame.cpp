#include "library/string_frame.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>

#include "common/format/gsst/block.hpp"
#include "common/format/part_size.hpp"
#include "common/frame/checksum.hpp"
#include "common/frame/frame.hpp"
#include "reference_cpu/level.hpp"
#include "reference_cpu/parallel.hpp"
#include "reference_cpu/table_encoder.hpp"

namespace gsst::library {
namespace {

using format::BlockFormat;
using format::BlockLayout;
using reference::CompressOptions;

using Bytes = std::span<const std::uint8_t>;

// A block of the text, and the strings that have bytes in it.
struct TextBlock {
  std::uint64_t begin;
  std::uint64_t end;
  std::size_t first_string;
};

// What the encoder makes of it. The code ends are from the block's first code on.
struct CodedBlock {
  std::vector<std::uint8_t> codes;
  std::vector<std::uint32_t> split_locations;
};

// A block as it is stored, and where its codes start.
struct StoredBlock {
  format::BlockRecord record;
  std::vector<std::uint8_t> bytes;
  std::size_t codes_begin;
};

class Encoding {
public:
  Encoding(Bytes text, std::span<const std::uint64_t> ends, const CompressOptions& options)
      : text_(text), ends_(ends), options_(options), code_ends_(ends.size()) {}

  std::uint64_t block_count() const { return format::part_size(text_.size(), options_.block_bytes); }

  StoredBlock encode(std::uint64_t number) {
    const TextBlock block = text_block(number);
    const Bytes input = text_.subspan(block.begin, block.end - block.begin);
    const std::size_t split_bytes =
        options_.format == BlockFormat::splits ? format::part_size(input.size(), options_.split_count) : 0;
    const format::SymbolTable table = reference::train_for_level(
        input, options_.level, split_bytes == 0 ? reference::whole_input : split_bytes);
    const CodedBlock coded = encode_strings(block, table, split_bytes);
    format::BuiltBlock built =
        format::build_block({.format = options_.format,
                             .uncompressed_bytes = static_cast<std::uint32_t>(input.size()),
                             .table = table,
                             .codes = coded.codes,
                             .split_locations = coded.split_locations,
                             .split_starts_escaped = {}});
    const bool pays = built.bytes.size() < input.size();
    if (!pays) end_raw(block);
    StoredBlock stored{
        .record = {},
        .bytes = pays ? std::move(built.bytes) : std::vector<std::uint8_t>(input.begin(), input.end()),
        .codes_begin = 0};
    if (pays) stored.codes_begin = stored.bytes.size() - coded.codes.size();
    stored.record = {.layout = pays ? built.layout : BlockLayout::raw,
                     .payload_bytes = static_cast<std::uint32_t>(stored.bytes.size()),
                     .uncompressed_bytes = static_cast<std::uint32_t>(input.size()),
                     .checksum = format::checksum(options_.checksum_kind, input),
                     .checksum_kind = options_.checksum_kind};
    return stored;
  }

  // The codes of block `number` start `codes_begin` bytes from the frame's first byte.
  void place(std::uint64_t number, std::uint64_t codes_begin) {
    const TextBlock block = text_block(number);
    for (std::size_t string = block.first_string; string < ends_.size() && ends_[string] <= block.end;
         ++string) {
      code_ends_[string] += codes_begin;
    }
  }

  // After every block has been placed.
  std::vector<std::uint64_t> finish() {
    for (std::size_t string = 0; string < ends_.size(); ++string) {
      const bool is_empty = ends_[string] == (string == 0 ? 0 : ends_[string - 1]);
      if (is_empty) code_ends_[string] = string == 0 ? 0 : code_ends_[string - 1];
    }
    return std::move(code_ends_);
  }

private:
  TextBlock text_block(std::uint64_t number) const {
    const std::uint64_t begin = number * options_.block_bytes;
    return {.begin = begin,
            .end = std::min<std::uint64_t>(begin + options_.block_bytes, text_.size()),
            .first_string = static_cast<std::size_t>(std::ranges::upper_bound(ends_, begin) - ends_.begin())};
  }

  // Each string by itself, and each of its parts where it goes over the end of a split. `split_bytes` is 0
  // without splits.
  CodedBlock encode_strings(const TextBlock& block, const format::SymbolTable& table,
                            std::size_t split_bytes) {
    const reference::TableEncoder encoder(table, reference::level_parse(options_.level));
    const std::size_t most = reference::Encoder::max_encoded_bytes(block.end - block.begin);
    const auto memory = std::make_unique_for_overwrite<std::uint8_t[]>(most);
    const std::span<std::uint8_t> codes(memory.get(), most);
    CodedBlock coded;
    std::size_t written = 0;
    std::size_t string = block.first_string;
    std::uint64_t split_end = block.begin;
    for (std::uint64_t at = block.begin; at < block.end;) {
      if (split_bytes != 0 && at == split_end) {
        coded.split_locations.push_back(static_cast<std::uint32_t>(written));
        split_end += split_bytes;
      }
      while (ends_[string] <= at) ++string;
      std::uint64_t end = std::min(ends_[string], block.end);
      if (split_bytes != 0) end = std::min(end, split_end);
      written += encoder.encode(text_.subspan(at, end - at), codes.subspan(written));
      at = end;
      if (end == ends_[string]) code_ends_[string] = written;
    }
    coded.codes.assign(codes.begin(), codes.begin() + static_cast<std::ptrdiff_t>(written));
    if (split_bytes != 0) {
      // Splits without output are the last ones.
      coded.split_locations.resize(options_.split_count, static_cast<std::uint32_t>(written));
    }
    return coded;
  }

  // The bytes of a raw block are their own codes.
  void end_raw(const TextBlock& block) {
    for (std::size_t string = block.first_string; string < ends_.size() && ends_[string] <= block.end;
         ++string) {
      code_ends_[string] = ends_[string] - block.begin;
    }
  }

  Bytes text_;
  std::span<const std::uint64_t> ends_;
  const CompressOptions& options_;
  // Several threads write those of different blocks.
  std::vector<std::uint64_t> code_ends_;
};

// Puts the parts of a frame one after another.
class FrameOutput {
public:
  explicit FrameOutput(std::span<std::uint8_t> output) : output_(output) {}

  void put(Bytes bytes) {
    if (bytes.size() > output_.size() - written_) {
      throw std::logic_error("a frame of strings is larger than its plan says");
    }
    std::ranges::copy(bytes, output_.begin() + static_cast<std::ptrdiff_t>(written_));
    written_ += bytes.size();
  }
  std::size_t written() const { return written_; }

private:
  std::span<std::uint8_t> output_;
  std::size_t written_ = 0;
};

}  // namespace

std::uint64_t max_bytes_between_codes(const CompressOptions& options) {
  return format::frame_header_bytes + format::record_header_bytes + format::max_symbol_table_bytes +
         format::max_block_header_bytes(options.format, reference::split_count(options));
}

StringFrame encode_string_frame(Bytes text, std::span<const std::uint64_t> string_ends,
                                const CompressOptions& options, std::span<std::uint8_t> output) {
  Encoding encoding(text, string_ends, options);
  FrameOutput frame(output);
  frame.put(format::build_frame_header({.format = options.format,
                                        .block_size = options.block_bytes,
                                        .split_count = reference::split_count(options),
                                        .checksum_kind = options.checksum_kind}));
  format::FrameIndex index;
  index.checksum_kind = options.checksum_kind;
  const std::uint64_t block_count = encoding.block_count();
  for (std::uint64_t first = 0; first < block_count; first += options.threads) {
    // They are in memory twice until they are written.
    std::vector<StoredBlock> blocks(std::min<std::uint64_t>(options.threads, block_count - first));
    reference::parallel_for(blocks.size(), options.threads,
                            [&](std::size_t i) { blocks[i] = encoding.encode(first + i); });
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      reference::append_to_index(index, blocks[i].record);
      frame.put(format::build_block_record(blocks[i].record));
      encoding.place(first + i, frame.written() + blocks[i].codes_begin);
      frame.put(blocks[i].bytes);
    }
  }
  frame.put(format::build_frame_end(index));
  return {.bytes = frame.written(), .code_ends = encoding.finish()};
}

}  // namespace gsst::library
