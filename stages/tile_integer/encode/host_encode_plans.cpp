#include "stages/tile_integer/encode/host_encode_plans.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <stdexcept>

#include "common/format/bytes.hpp"
#include "common/format/formats.hpp"
#include "common/format/part_size.hpp"
#include "common/format/payload_rules.hpp"
#include "common/frame/checksum.hpp"
#include "common/frame/frame.hpp"
#include "common/frame/frame_fields.hpp"
#include "common/pipeline/memory_limit.hpp"
#include "reference_cpu/parallel.hpp"
#include "reference_cpu/tile_integer/file_writer.hpp"
#include "reference_cpu/tile_integer/type_option.hpp"
#include "stages/tile_integer/encode/kernel_encode_plans.hpp"

namespace gsst::tile_integer {
namespace {

using format::BlockLayout;
using format::tile_integer::Packing;
using format::tile_integer::Type;

// What a format packs.
struct HostFormat {
  format::BlockFormat format;
  Packing packing;
  // As the codecs say it.
  const char* how;
};

constexpr std::array<HostFormat, 3> formats_of_host = {
    {{format::tile_integer::for_format, Packing::values, " by reference, "},
     {format::tile_integer::dfor_format, Packing::chains, " by difference from the one before, "},
     {format::tile_integer::rfor_format, Packing::runs, " in runs, "}}};
constexpr std::array<format::BlockFormat, 3> host_formats = {
    formats_of_host[0].format, formats_of_host[1].format, formats_of_host[2].format};
constexpr format::ChecksumKind plan_checksum_kind = format::ChecksumKind::xxh64;

// One of host_formats.
const HostFormat& host_format(format::BlockFormat format) {
  return *std::ranges::find(formats_of_host, format, &HostFormat::format);
}

// A frame that is written in memory.
class HostFrameWriter {
public:
  HostFrameWriter(const InputShape& shape, EncodeIntegerBlock encode, const std::uint8_t* input,
                  std::uint8_t* output)
      : shape_(shape), encode_(encode), input_(input), output_(output) {}

  // Returns the bytes of the frame.
  std::uint64_t write(unsigned threads) const {
    const auto header = format::build_frame_header({.format = shape_.format,
                                                    .block_size = shape_.block_bytes,
                                                    .split_count = 1,
                                                    .checksum_kind = plan_checksum_kind});
    std::ranges::copy(header, output_);
    return write_frame_end(threads == 1 ? write_in_turn() : write_at_the_same_time(threads));
  }

private:
  std::uint64_t write_in_turn() const {
    std::uint64_t position = format::frame_header_bytes;
    for (std::uint64_t index = 0; index < shape_.blocks(); ++index) {
      position += write_block(index, output_ + position);
    }
    return position;
  }

  // Where a block is does not depend on others if they are raw, and there is room for all of them. From there
  // each is moved to the front.
  std::uint64_t write_at_the_same_time(unsigned threads) const {
    const std::uint64_t most_bytes =
        format::record_header_bytes + format::raw_payload_bytes(shape_.format, shape_.block_bytes);
    const auto place = [&](std::uint64_t index) {
      return output_ + format::frame_header_bytes + index * most_bytes;
    };
    const auto write_one = [&](std::size_t index) { write_block(index, place(index)); };
    // A reference: a copy of such a function would be allocated.
    reference::parallel_for(shape_.blocks(), threads, std::cref(write_one));
    std::uint64_t position = format::frame_header_bytes;
    for (std::uint64_t index = 0; index < shape_.blocks(); ++index) {
      const std::uint64_t bytes = format::record_header_bytes + payload_bytes_at(place(index));
      std::memmove(output_ + position, place(index), bytes);
      position += bytes;
    }
    return position;
  }

  static std::uint64_t payload_bytes_at(const std::uint8_t* record) {
    return format::load_little_endian<4>(record + 8);
  }

  // Writes record and payload, and returns their bytes.
  std::uint64_t write_block(std::uint64_t index, std::uint8_t* to) const {
    const std::uint64_t begin = index * shape_.block_bytes;
    const std::span block(input_ + begin, std::min(shape_.block_bytes, shape_.input_bytes - begin));
    const std::span room(to + format::record_header_bytes,
                         format::raw_payload_bytes(shape_.format, block.size()));
    const std::size_t bytes = encode_(block, shape_.packing, shape_.type, room);
    const bool is_raw = bytes == room.size();
    if (is_raw) {
      std::ranges::copy(block, room.begin());
      std::ranges::fill(room.subspan(block.size()), std::uint8_t{0});
    }
    format::write_record(to, format::RecordKind::block,
                         {.layout = is_raw ? BlockLayout::raw : format::tile_integer::packed_layout,
                          .payload_bytes = static_cast<std::uint32_t>(bytes),
                          .uncompressed_bytes = static_cast<std::uint32_t>(block.size()),
                          .checksum = format::checksum(plan_checksum_kind, block),
                          .checksum_kind = plan_checksum_kind});
    return format::record_header_bytes + bytes;
  }

  // The index repeats the records, which are read back from the output.
  std::uint64_t write_frame_end(std::uint64_t position) const {
    std::uint8_t* const index = output_ + position + format::record_header_bytes;
    std::uint8_t* entry = index;
    std::uint64_t record = format::frame_header_bytes;
    for (std::uint64_t block = 0; block < shape_.blocks(); ++block, entry += format::index_entry_bytes) {
      format::store_little_endian<8>(entry, record + format::record_header_bytes);
      format::store_little_endian<8>(entry + 8, block * shape_.block_bytes);
      std::memcpy(entry + 16, output_ + record, format::record_header_bytes);
      record += format::record_header_bytes + payload_bytes_at(output_ + record);
    }
    format::write_index_totals(entry, shape_.blocks(), shape_.input_bytes);
    const std::uint64_t index_bytes =
        shape_.blocks() * format::index_entry_bytes + format::index_totals_bytes;
    format::write_record(index - format::record_header_bytes, format::RecordKind::index,
                         {.layout = BlockLayout::raw,
                          .payload_bytes = static_cast<std::uint32_t>(index_bytes),
                          .uncompressed_bytes = 0,
                          .checksum = format::checksum(plan_checksum_kind, {index, index_bytes}),
                          .checksum_kind = plan_checksum_kind});
    const std::uint64_t end = position + format::record_header_bytes + index_bytes;
    const std::uint64_t frame_bytes = end + format::frame_trailer_bytes;
    format::write_trailer(output_ + end, frame_bytes, format::record_header_bytes + index_bytes);
    return frame_bytes;
  }

  const InputShape& shape_;
  EncodeIntegerBlock encode_;
  const std::uint8_t* input_;
  std::uint8_t* output_;
};

class HostEncodePlan final : public stage::Plan {
public:
  HostEncodePlan(const InputShape& shape, EncodeIntegerBlock encode, unsigned threads)
      : shape_(shape), encode_(encode), threads_(threads) {
    using stage::Role;
    parts_ = {{{.name = "input", .role = Role::input, .bytes = shape.input_bytes, .alignment = 1},
               {.name = "output", .role = Role::output, .bytes = largest_frame_bytes(shape), .alignment = 1},
               {.name = "state", .role = Role::state, .bytes = 0, .alignment = 1},
               {.name = "status",
                .role = Role::status,
                .bytes = shape.blocks() * sizeof(std::uint32_t),
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
    const HostFrameWriter writer(shape_, encode_, static_cast<const std::uint8_t*>(given[0].data),
                                 static_cast<std::uint8_t*>(given[1].data));
    const std::uint64_t bytes = writer.write(threads_);
    std::fill_n(static_cast<std::uint32_t*>(given[3].data), shape_.blocks(), 0);
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
  InputShape shape_;
  EncodeIntegerBlock encode_;
  unsigned threads_;
  std::array<stage::Part, 5> parts_{};
};

}  // namespace

HostEncodePlans::HostEncodePlans(const stage::Description& description, EncodeIntegerBlock encode_block)
    : description_(description), encode_block_(encode_block) {}

std::span<const format::BlockFormat> HostEncodePlans::formats() const {
  return host_formats;
}

void HostEncodePlans::check(const stage::FileToEncode& /*file*/) const {}

format::EncodeTotals HostEncodePlans::encode(const stage::FileToEncode& file,
                                             const format::ReadFunction& read,
                                             const format::WriteFunction& write,
                                             const format::ProgressFunction& progress) const {
  const HostFormat& packed = host_format(file.format);
  const Type type = reference::tile_integer::type_of(file.settings.options);
  const std::uint64_t block_bytes = file.settings.block_bytes;
  const std::uint64_t bytes_of_thread = block_bytes + format::raw_payload_bytes(file.format, block_bytes);
  if (bytes_of_thread > file.memory_bytes) {
    throw pipeline::MemoryLimitError(file.memory_bytes, bytes_of_thread);
  }
  format::EncodeSettings settings = file.settings;
  settings.threads = static_cast<unsigned>(std::min<std::uint64_t>(reference::thread_count(settings.threads),
                                                                   file.memory_bytes / bytes_of_thread));
  const auto encode_one = [&](std::span<const std::uint8_t> block) {
    const std::uint64_t raw_bytes = format::raw_payload_bytes(file.format, block.size());
    reference::tile_integer::BlockPayload encoded = {.layout = format::tile_integer::packed_layout,
                                                     .payload = std::vector<std::uint8_t>(raw_bytes)};
    encoded.payload.resize(encode_block_(block, packed.packing, type, encoded.payload));
    if (encoded.payload.size() < raw_bytes) return encoded;
    encoded.layout = BlockLayout::raw;
    encoded.payload.assign(block.begin(), block.end());
    encoded.payload.resize(raw_bytes, 0);
    return encoded;
  };
  format::EncodeTotals totals =
      reference::tile_integer::write_frame_file(file.format, read, write, settings, progress, encode_one);
  totals.how = "values of type " + std::string(format::tile_integer::shape_of(type).name) + packed.how;
  return totals;
}

std::vector<std::pair<std::string, std::uint64_t>> HostEncodePlans::describe(
    const stage::InputToEncode& input) const {
  const auto refuse = [&](const std::string& problem) {
    throw std::invalid_argument("stage " + description_.id + ": " + problem);
  };
  if (std::ranges::find(host_formats, input.format) == host_formats.end()) {
    refuse("does not write format " + std::string(format::block_format_name(input.format)));
  }
  if (input.block_bytes < 1 || input.block_bytes > format::max_block_bytes) {
    refuse("a block has 1 to " + std::to_string(format::max_block_bytes) + " bytes, not " +
           std::to_string(input.block_bytes));
  }
  if (format::part_size(input.input_bytes, input.block_bytes) > format::max_block_count) {
    refuse("a frame has at most " + std::to_string(format::max_block_count) + " blocks");
  }
  for (const auto& [name, value] : input.options) {
    if (name != "type") refuse("has no option " + name);
    if (value >= format::tile_integer::type_count) refuse("there is no type " + std::to_string(value));
  }
  stage::check_parameters(description_, input.parameters);
  return {};
}

std::unique_ptr<stage::Plan> HostEncodePlans::plan_of(const stage::InputToEncode& input) const {
  describe(input);
  const std::int64_t threads = stage::parameter_value(description_, input.parameters, "threads");
  const InputShape shape = {.format = input.format,
                            .packing = host_format(input.format).packing,
                            .type = reference::tile_integer::type_of(input.options),
                            .input_bytes = input.input_bytes,
                            .block_bytes = input.block_bytes,
                            .parameters = input.parameters};
  return std::make_unique<HostEncodePlan>(shape, encode_block_,
                                          reference::thread_count(static_cast<unsigned>(threads)));
}

}  // namespace gsst::tile_integer
