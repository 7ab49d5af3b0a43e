#include "stages/zero_length/encode/encode_plans.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>

#include "common/format/bytes.hpp"
#include "common/format/formats.hpp"
#include "common/format/part_size.hpp"
#include "common/format/zero_length/zero_length.hpp"
#include "common/frame/checksum.hpp"
#include "common/frame/frame.hpp"
#include "common/frame/frame_fields.hpp"
#include "common/pipeline/memory_limit.hpp"
#include "reference_cpu/zero_length/file_writer.hpp"

namespace gsst::zero_length {
namespace {

using format::BlockFormat;
using format::BlockLayout;
using format::zero_length::bare_header_bytes;
using format::zero_length::bare_size_bytes;
using format::zero_length::max_elements_bytes;

constexpr std::array<BlockFormat, 2> formats_written = {format::zero_length::bare_format,
                                                        format::zero_length::frame_format};
constexpr format::ChecksumKind checksum_kind = format::ChecksumKind::xxh64;

// A file that is written in memory from front to back.
class MemoryWriter {
public:
  MemoryWriter(std::span<const std::uint8_t> input, std::span<std::uint8_t> output, std::uint64_t block_bytes)
      : input_(input), output_(output), block_bytes_(block_bytes) {}

  std::uint64_t write_bare(EncodeElements encode) {
    for_each_block([&](std::span<const std::uint8_t> block, std::uint64_t index) {
      const std::size_t bytes =
          encode(block, output_.subspan(position_ + bare_header_bytes, max_elements_bytes(block.size())));
      format::store_little_endian<8>(here(), bare_header_bytes + bytes);
      format::store_little_endian<8>(here() + bare_size_bytes, index);
      position_ += bare_header_bytes + bytes;
    });
    format::store_little_endian<8>(here(), 0);
    return position_ + bare_size_bytes;
  }

  std::uint64_t write_frame(EncodeElements encode) {
    const auto header = format::build_frame_header({.format = format::zero_length::frame_format,
                                                    .block_size = block_bytes_,
                                                    .split_count = 1,
                                                    .checksum_kind = checksum_kind});
    std::ranges::copy(header, here());
    position_ = header.size();
    std::uint64_t blocks = 0;
    for_each_block([&](std::span<const std::uint8_t> block, std::uint64_t) {
      write_block_of_frame(block, encode);
      ++blocks;
    });
    return write_frame_end(blocks);
  }

private:
  std::uint8_t* here() { return output_.data() + position_; }

  template <typename Work>
  void for_each_block(const Work& work) {
    std::uint64_t index = 0;
    for (std::uint64_t begin = 0; begin < input_.size(); begin += block_bytes_) {
      work(input_.subspan(begin, std::min<std::uint64_t>(block_bytes_, input_.size() - begin)), index);
      ++index;
    }
  }

  void write_block_of_frame(std::span<const std::uint8_t> block, EncodeElements encode) {
    std::uint8_t* const payload = here() + format::record_header_bytes;
    std::size_t bytes = encode(block, {payload, max_elements_bytes(block.size())});
    BlockLayout layout = format::zero_length::elements_layout;
    if (bytes >= block.size()) {
      layout = BlockLayout::raw;
      bytes = block.size();
      std::memcpy(payload, block.data(), bytes);
    }
    format::write_record(here(), format::RecordKind::block,
                         {.layout = layout,
                          .payload_bytes = static_cast<std::uint32_t>(bytes),
                          .uncompressed_bytes = static_cast<std::uint32_t>(block.size()),
                          .checksum = format::checksum(checksum_kind, block),
                          .checksum_kind = checksum_kind});
    position_ += format::record_header_bytes + bytes;
  }

  // The index repeats the records, which are read back from the output.
  std::uint64_t write_frame_end(std::uint64_t blocks) {
    std::uint8_t* const index_record = here();
    std::uint8_t* entry = index_record + format::record_header_bytes;
    std::uint64_t record = format::frame_header_bytes;
    std::uint64_t uncompressed_offset = 0;
    for (std::uint64_t block = 0; block < blocks; ++block, entry += format::index_entry_bytes) {
      const std::uint8_t* const from = output_.data() + record;
      format::store_little_endian<8>(entry, record + format::record_header_bytes);
      format::store_little_endian<8>(entry + 8, uncompressed_offset);
      std::memcpy(entry + 16, from, format::record_header_bytes);
      const format::IndexEntryFields fields(entry);
      record += format::record_header_bytes + fields.payload_bytes();
      uncompressed_offset += fields.uncompressed_bytes();
    }
    format::write_index_totals(entry, blocks, input_.size());
    const std::uint64_t index_bytes = blocks * format::index_entry_bytes + format::index_totals_bytes;
    format::write_record(index_record, format::RecordKind::index,
                         {.layout = BlockLayout::raw,
                          .payload_bytes = static_cast<std::uint32_t>(index_bytes),
                          .uncompressed_bytes = 0,
                          .checksum = format::checksum(
                              checksum_kind, {index_record + format::record_header_bytes, index_bytes}),
                          .checksum_kind = checksum_kind});
    position_ += format::record_header_bytes + index_bytes;
    const std::uint64_t frame_bytes = position_ + format::frame_trailer_bytes;
    format::write_trailer(here(), frame_bytes, format::record_header_bytes + index_bytes);
    return frame_bytes;
  }

  std::span<const std::uint8_t> input_;
  std::span<std::uint8_t> output_;
  std::uint64_t block_bytes_;
  std::uint64_t position_ = 0;
};

std::uint64_t block_count(const stage::InputToEncode& input) {
  return format::part_size(input.input_bytes, input.block_bytes);
}

std::uint64_t output_bytes(const stage::InputToEncode& input) {
  const std::uint64_t blocks = block_count(input);
  if (input.format == format::zero_length::bare_format) {
    return blocks * bare_header_bytes + max_elements_bytes(input.input_bytes) + bare_size_bytes;
  }
  const std::uint64_t around =
      format::frame_header_bytes + blocks * (format::record_header_bytes + format::index_entry_bytes) +
      format::record_header_bytes + format::index_totals_bytes + format::frame_trailer_bytes;
  // A block is never larger than its bytes once it is written, and twice as large before.
  return around + input.input_bytes + std::min(input.block_bytes, input.input_bytes);
}

class HostEncodePlan final : public stage::Plan {
public:
  HostEncodePlan(const stage::InputToEncode& input, EncodeElements encode) : input_(input), encode_(encode) {
    using stage::Role;
    parts_ = {{{.name = "input", .role = Role::input, .bytes = input.input_bytes, .alignment = 1},
               {.name = "output", .role = Role::output, .bytes = output_bytes(input), .alignment = 1},
               {.name = "state", .role = Role::state, .bytes = 0, .alignment = 1},
               {.name = "status",
                .role = Role::status,
                .bytes = block_count(input) * sizeof(std::uint32_t),
                .alignment = alignof(std::uint32_t)},
               {.name = "file_bytes",
                .role = Role::result,
                .bytes = sizeof(std::uint64_t),
                .alignment = alignof(std::uint64_t)}}};
  }

  std::span<const stage::Part> parts() const override { return parts_; }

  std::span<const stage::Phase> phases() const override {
    static constexpr std::array phases = {stage::Phase{.name = "encoding"}};
    return phases;
  }

  void enqueue(std::span<const stage::Given> given, stage::Stream /*stream*/,
               std::size_t /*phase*/) const override {
    MemoryWriter writer({static_cast<const std::uint8_t*>(given[0].data), input_.input_bytes},
                        {static_cast<std::uint8_t*>(given[1].data), parts_[1].bytes}, input_.block_bytes);
    const std::uint64_t bytes = input_.format == format::zero_length::bare_format
                                    ? writer.write_bare(encode_)
                                    : writer.write_frame(encode_);
    std::fill_n(static_cast<std::uint32_t*>(given[3].data), block_count(input_), 0);
    *static_cast<std::uint64_t*>(given[4].data) = bytes;
  }

  stage::Outcome check(std::span<const std::byte> /*status*/, std::span<const std::byte> result,
                       std::uint64_t /*first*/) const override {
    stage::Outcome outcome;
    std::memcpy(&outcome.count, result.data(), sizeof outcome.count);
    outcome.is_complete = true;
    return outcome;
  }

private:
  stage::InputToEncode input_;
  EncodeElements encode_;
  std::array<stage::Part, 5> parts_{};
};

}  // namespace

HostEncodePlans::HostEncodePlans(const stage::Description& description, EncodeElements encode_elements)
    : description_(description), encode_(encode_elements) {}

std::span<const BlockFormat> HostEncodePlans::formats() const {
  return formats_written;
}

void HostEncodePlans::check(const stage::FileToEncode& /*file*/) const {}

format::EncodeTotals HostEncodePlans::encode(const stage::FileToEncode& file,
                                             const format::ReadFunction& read,
                                             const format::WriteFunction& write,
                                             const format::ProgressFunction& progress) const {
  const std::uint64_t needed = reference::zero_length::write_file_memory(file.settings.block_bytes);
  if (needed > file.memory_bytes) throw pipeline::MemoryLimitError(file.memory_bytes, needed);
  return reference::zero_length::write_file(file.format, read, write, file.settings, progress, encode_);
}

std::vector<std::pair<std::string, std::uint64_t>> HostEncodePlans::describe(
    const stage::InputToEncode& input) const {
  const auto refuse = [&](const std::string& problem) {
    throw std::invalid_argument("stage " + description_.id + ": " + problem);
  };
  if (std::ranges::find(formats_written, input.format) == formats_written.end()) {
    refuse("does not write format " + std::string(format::block_format_name(input.format)));
  }
  if (input.block_bytes < 1 || input.block_bytes > format::max_block_bytes) {
    refuse("a block has 1 to " + std::to_string(format::max_block_bytes) + " bytes, not " +
           std::to_string(input.block_bytes));
  }
  if (input.format == format::zero_length::frame_format && block_count(input) > format::max_block_count) {
    refuse("a frame has at most " + std::to_string(format::max_block_count) + " blocks");
  }
  if (!input.options.empty()) refuse("has no option " + input.options.begin()->first);
  stage::check_parameters(description_, input.parameters);
  return {};
}

std::unique_ptr<stage::Plan> HostEncodePlans::plan_of(const stage::InputToEncode& input) const {
  describe(input);
  return std::make_unique<HostEncodePlan>(input, encode_);
}

}  // namespace gsst::zero_length
