#include "library/compress_plan.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/format/encoding.hpp"
#include "common/format/gsst/fsst_file.hpp"
#include "common/format/gsst/tiles.hpp"
#include "common/format/stream.hpp"
#include "common/frame/frame.hpp"
#include "cpu/block_size/block_size_choice.hpp"
#include "cpu/tiles/frame_encoder.hpp"
#include "reference_cpu/encoder.hpp"
#include "reference_cpu/parallel.hpp"
#include "reference_cpu/table_sharing.hpp"

namespace gsst::library {
namespace {

using format::BlockFormat;
using reference::CompressedBlock;

std::uint64_t divide_rounding_up(std::uint64_t dividend, std::uint64_t divisor) {
  return dividend / divisor + (dividend % divisor != 0);
}

// What each block of an input adds up to.
std::uint64_t sum_over_blocks(std::uint64_t input_bytes, std::uint64_t block_bytes,
                              std::uint64_t (*bytes_of_block)(std::uint64_t)) {
  const std::uint64_t last_bytes = input_bytes % block_bytes;
  return input_bytes / block_bytes * bytes_of_block(block_bytes) +
         (last_bytes == 0 ? 0 : bytes_of_block(last_bytes));
}

std::uint64_t max_fsst_block_bytes(std::uint64_t uncompressed_bytes) {
  return format::fsst_length_bytes + format::max_symbol_table_bytes +
         reference::Encoder::max_encoded_bytes(uncompressed_bytes);
}

// A block that coding does not make smaller is stored raw.
std::uint64_t max_frame_payload_bytes(std::uint64_t uncompressed_bytes) {
  return uncompressed_bytes;
}
std::uint64_t max_tiles_frame_payload_bytes(std::uint64_t uncompressed_bytes) {
  return format::raw_payload_bytes(BlockFormat::tiles, uncompressed_bytes);
}

// Whether coding pays does not count the table that blocks share: it is stored once in as many blocks as can
// name the one that holds it.
std::uint64_t max_shared_table_bytes(std::uint64_t block_count) {
  return divide_rounding_up(block_count, format::max_dictionary_id + 1) * format::max_tiles_payload_bytes(0);
}

std::uint64_t max_output_bytes(std::uint64_t input_bytes, const reference::CompressOptions& options) {
  if (options.format == BlockFormat::fsst) {
    return sum_over_blocks(input_bytes, options.block_bytes, max_fsst_block_bytes);
  }
  const std::uint64_t block_count = divide_rounding_up(input_bytes, options.block_bytes);
  const std::uint64_t around_blocks =
      format::frame_header_bytes + block_count * (format::record_header_bytes + format::index_entry_bytes) +
      format::record_header_bytes + format::index_totals_bytes + format::frame_trailer_bytes;
  if (options.format != BlockFormat::tiles) {
    return around_blocks + sum_over_blocks(input_bytes, options.block_bytes, max_frame_payload_bytes);
  }
  return around_blocks + max_shared_table_bytes(block_count) +
         sum_over_blocks(input_bytes, options.block_bytes, max_tiles_frame_payload_bytes);
}

// Puts the parts of a frame one behind the other.
class Writer {
public:
  explicit Writer(std::span<std::uint8_t> output) : output_(output) {}

  void put(std::span<const std::uint8_t> bytes) {
    if (bytes.size() > output_.size() - written_) {
      throw std::logic_error("a frame is larger than its plan says");
    }
    std::copy(bytes.begin(), bytes.end(), output_.begin() + static_cast<std::ptrdiff_t>(written_));
    written_ += bytes.size();
  }

  std::size_t written() const { return written_; }

private:
  std::span<std::uint8_t> output_;
  std::size_t written_ = 0;
};

// The blocks of an input, of which a batch is encoded at a time: they are in memory twice until they are
// written.
class BlockEncoder {
public:
  BlockEncoder(std::span<const std::uint8_t> input, const reference::CompressOptions& options)
      : input_(input), options_(options) {
    if (input.empty()) return;
    const std::size_t planned = std::min<std::size_t>(reference::planned_bytes(options), input.size());
    plan_ = reference::plan_frame(input.first(planned), options, options.threads);
  }

  // Calls write(block) for each block in order.
  template <typename Write>
  void run(const Write& write) {
    constexpr std::uint64_t least_batch_bytes = std::uint64_t{1} << 20;
    const std::uint64_t batch = std::max<std::uint64_t>(
        options_.threads, divide_rounding_up(least_batch_bytes, options_.block_bytes));
    const std::uint64_t block_count = divide_rounding_up(input_.size(), options_.block_bytes);
    for (std::uint64_t first = 0; first < block_count; first += batch) {
      std::vector<CompressedBlock> blocks = encode(first, std::min(batch, block_count - first));
      for (std::size_t i = 0; i < blocks.size(); ++i) {
        finish(blocks[i], first + i);
        write(blocks[i]);
      }
    }
  }

private:
  std::span<const std::uint8_t> block_input(std::uint64_t block) const {
    const std::size_t begin = block * options_.block_bytes;
    return input_.subspan(begin, std::min<std::size_t>(options_.block_bytes, input_.size() - begin));
  }

  std::vector<CompressedBlock> encode(std::uint64_t first, std::size_t count) const {
    std::vector<CompressedBlock> blocks(count);
    const unsigned threads_per_block = count == 1 ? options_.threads : 1;
    reference::parallel_for(count, options_.threads, [&](std::size_t i) {
      blocks[i] = reference::compress_block(block_input(first + i), options_, threads_per_block, plan_);
    });
    return blocks;
  }

  void finish(CompressedBlock& block, std::uint64_t number) {
    if (options_.format != BlockFormat::tiles) return;
    const std::span<const std::uint8_t> bytes = block_input(number);
    sharing_.finish(block, bytes, bytes.size() < options_.block_bytes);
  }

  std::span<const std::uint8_t> input_;
  const reference::CompressOptions& options_;
  std::optional<reference::TilePlan> plan_;
  reference::TableSharing sharing_;
};

}  // namespace

format::EncodeSettings encode_settings(const reference::CompressOptions& options) {
  format::EncodeSettings settings = {.block_bytes = options.block_bytes,
                                     .level = options.level,
                                     .checksum_kind = options.checksum_kind,
                                     .threads = options.threads};
  const auto choose = [&](const char* name, std::uint64_t value) {
    if (value != 0) settings.options.emplace(name, value);
  };
  choose("code-bits", options.code_bits);
  choose("codes-per-lane", options.codes_per_lane);
  choose("strip-codes", options.strip_codes);
  if (options.parse) settings.options.emplace("parse", static_cast<std::uint64_t>(*options.parse));
  return settings;
}

bool is_fast_level(const reference::CompressOptions& options) {
  return options.format == BlockFormat::tiles && cpu::tiles::is_fast_level(encode_settings(options));
}

CompressPlan::CompressPlan(std::uint64_t input_bytes, const reference::CompressOptions& options)
    : input_bytes_(input_bytes), options_(options) {
  // The smallest blocks that may be chosen are the most, and have the most around them.
  reference::CompressOptions checked = options;
  if (options.block_bytes == fitting_block_bytes && is_fast_level(options)) {
    checked.block_bytes = cpu::small_block_bytes;
  }
  reference::check_options(checked);
  if (input_bytes > max_input_bytes) {
    throw std::invalid_argument("the input has " + std::to_string(input_bytes) + " bytes, expected at most " +
                                std::to_string(max_input_bytes));
  }
  const std::uint64_t block_count = divide_rounding_up(input_bytes, checked.block_bytes);
  if (checked.format != BlockFormat::fsst && block_count > format::max_block_count) {
    throw std::invalid_argument("the input has " + std::to_string(block_count) +
                                " blocks of this size, a frame holds at most " +
                                std::to_string(format::max_block_count));
  }
  output_bytes_ = max_output_bytes(input_bytes, checked);
}

std::size_t CompressPlan::execute(std::span<const std::uint8_t> input, std::span<std::uint8_t> output) const {
  Writer writer(output);
  if (is_fast_level(options_)) {
    format::EncodeSettings settings = encode_settings(options_);
    if (settings.block_bytes == fitting_block_bytes) {
      settings.block_bytes = cpu::choose_block_size(input, settings).block_bytes;
    }
    cpu::tiles::encode_frame(
        format::reader_of(input), [&](std::span<const std::uint8_t> bytes) { writer.put(bytes); }, settings);
    return writer.written();
  }
  BlockEncoder encoder(input, options_);
  if (options_.format == BlockFormat::fsst) {
    encoder.run([&](const CompressedBlock& block) { writer.put(block.bytes); });
    return writer.written();
  }
  writer.put(format::build_frame_header({.format = options_.format,
                                         .block_size = options_.block_bytes,
                                         .split_count = reference::split_count(options_),
                                         .checksum_kind = options_.checksum_kind}));
  format::FrameIndex index;
  index.checksum_kind = options_.checksum_kind;
  encoder.run([&](const CompressedBlock& block) {
    reference::append_to_index(index, block.record);
    writer.put(format::build_block_record(block.record));
    writer.put(block.bytes);
  });
  writer.put(format::build_frame_end(index));
  return writer.written();
}

}  // namespace gsst::library
