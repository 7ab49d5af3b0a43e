#include "stages/zero_length/encode/encode_plans.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <memory>
#include <stdexcept>

#include "common/format/bytes.hpp"
#include "common/format/formats.hpp"
#include "common/format/part_size.hpp"
#include "common/format/zero_length/dictionary.hpp"
#include "common/format/zero_length/markers.hpp"
#include "common/format/zero_length/zero_length.hpp"
#include "common/frame/checksum.hpp"
#include "common/frame/frame.hpp"
#include "common/frame/frame_fields.hpp"
#include "common/pipeline/memory_limit.hpp"
#include "reference_cpu/codec.hpp"
#include "reference_cpu/parallel.hpp"
#include "reference_cpu/zero_length/encoding_room.hpp"
#include "reference_cpu/zero_length/file_writer.hpp"

namespace gsst::zero_length {
namespace {

using format::BlockFormat;
using format::BlockLayout;
using format::zero_length::bare_header_bytes;
using format::zero_length::bare_size_bytes;
using reference::zero_length::encoding_room;

constexpr std::array<BlockFormat, 2> formats_of_the_thesis = {format::zero_length::bare_format,
                                                              format::zero_length::frame_format};
constexpr std::array<BlockFormat, 1> formats_with_markers = {format::zero_length::markers_format};
constexpr std::array<BlockFormat, 1> formats_with_dictionary = {format::zero_length::dictionary_format};
constexpr format::ChecksumKind checksum_kind = format::ChecksumKind::xxh64;

// Where a thread leaves a block of a batch, as the file has it; what follows is in the memory after it.
struct alignas(64) Slot {
  std::uint64_t stored_bytes;
  // Of the block in the output.
  std::uint64_t offset;

  std::uint8_t* stored() { return reinterpret_cast<std::uint8_t*>(this + 1); }
};

// A batch that takes less time than its threads need to meet would cost more than it saves: each has a
// megabyte of input, 0.1 to 1 ms of work.
constexpr std::uint64_t batch_bytes_of_thread = std::uint64_t{1} << 20;

// How an input is divided among threads.
struct Batches {
  Batches(const stage::InputToEncode& input, unsigned most_threads) {
    const std::uint64_t block_count = format::part_size(input.input_bytes, input.block_bytes);
    threads = static_cast<unsigned>(std::clamp<std::uint64_t>(block_count, 1, most_threads));
    if (threads == 1) return;
    const std::uint64_t most_bytes = std::max(bare_header_bytes, format::record_header_bytes) +
                                     encoding_room(input.format, input.block_bytes);
    slot_bytes = sizeof(Slot) * (1 + format::part_size(most_bytes, sizeof(Slot)));
    // Of blocks of a few bytes slots are larger than what is in them.
    const std::uint64_t bytes_of_block = std::max(input.block_bytes, slot_bytes / 2);
    blocks = std::min(block_count, threads * format::part_size(batch_bytes_of_thread, bytes_of_block));
  }

  std::uint64_t state_bytes() const { return blocks * slot_bytes; }

  unsigned threads = 1;
  // Of a batch; 0 for one thread, which needs no slots.
  std::uint64_t blocks = 0;
  std::uint64_t slot_bytes = 0;
};

// A file that is written in memory from front to back.
class MemoryWriter {
public:
  MemoryWriter(const stage::InputToEncode& subject, std::span<const std::uint8_t> input,
               std::span<std::uint8_t> output, EncodeElements encode)
      : format_(subject.format),
        block_bytes_(subject.block_bytes),
        input_(input),
        output_(output),
        encode_(encode) {}

  // Returns the bytes of the file. `state` has those of the batches.
  std::uint64_t write(const Batches& batches, std::uint8_t* state) {
    if (!is_bare()) write_frame_header();
    if (batches.blocks == 0) {
      for (std::uint64_t index = 0; index < block_count(); ++index) position_ += write_block(index, here());
    } else {
      for (std::uint64_t first = 0; first < block_count(); first += batches.blocks) {
        write_batch(batches, first, state);
      }
    }
    if (!is_bare()) return write_frame_end(block_count());
    format::store_little_endian<8>(here(), 0);
    return position_ + bare_size_bytes;
  }

private:
  bool is_bare() const { return format_ == format::zero_length::bare_format; }

  std::uint8_t* here() { return output_.data() + position_; }

  std::uint64_t block_count() const { return format::part_size(input_.size(), block_bytes_); }

  void write_frame_header() {
    const auto header = format::build_frame_header(
        {.format = format_, .block_size = block_bytes_, .split_count = 1, .checksum_kind = checksum_kind});
    std::ranges::copy(header, here());
    position_ = header.size();
  }

  void write_batch(const Batches& batches, std::uint64_t first, std::uint8_t* state) {
    const std::uint64_t count = std::min(batches.blocks, block_count() - first);
    const auto slot = [&](std::uint64_t block) {
      return reinterpret_cast<Slot*>(state + block * batches.slot_bytes);
    };
    const auto fill = [&](std::size_t block) {
      Slot* const filled = std::construct_at(slot(block));
      filled->stored_bytes = write_block(first + block, filled->stored());
    };
    const auto copy_out = [&](std::size_t block) {
      Slot* const filled = slot(block);
      std::memcpy(output_.data() + filled->offset, filled->stored(), filled->stored_bytes);
    };
    // References: a copy of such a function would be allocated.
    reference::parallel_for(count, batches.threads, std::cref(fill));
    for (std::uint64_t block = 0; block < count; ++block) {
      slot(block)->offset = position_;
      position_ += slot(block)->stored_bytes;
    }
    reference::parallel_for(count, batches.threads, std::cref(copy_out));
  }

  // Writes a block as the file has it and returns its bytes; while it is written it takes the room of its
  // encoder.
  std::uint64_t write_block(std::uint64_t index, std::uint8_t* to) const {
    const std::uint64_t begin = index * block_bytes_;
    const std::span<const std::uint8_t> block =
        input_.subspan(begin, std::min<std::uint64_t>(block_bytes_, input_.size() - begin));
    return is_bare() ? write_bare_block(block, index, to) : write_block_of_frame(block, to);
  }

  std::uint64_t write_bare_block(std::span<const std::uint8_t> block, std::uint64_t index,
                                 std::uint8_t* to) const {
    const std::size_t bytes = encode_(block, {to + bare_header_bytes, encoding_room(format_, block.size())});
    format::store_little_endian<8>(to, bare_header_bytes + bytes);
    format::store_little_endian<8>(to + bare_size_bytes, index);
    return bare_header_bytes + bytes;
  }

  std::uint64_t write_block_of_frame(std::span<const std::uint8_t> block, std::uint8_t* to) const {
    std::uint8_t* const payload = to + format::record_header_bytes;
    std::size_t bytes = encode_(block, {payload, encoding_room(format_, block.size())});
    BlockLayout layout = format::zero_length::elements_layout;
    if (bytes >= block.size()) {
      layout = BlockLayout::raw;
      bytes = block.size();
      std::memcpy(payload, block.data(), bytes);
    }
    format::write_record(to, format::RecordKind::block,
                         {.layout = layout,
                          .payload_bytes = static_cast<std::uint32_t>(bytes),
                          .uncompressed_bytes = static_cast<std::uint32_t>(block.size()),
                          .checksum = format::checksum(checksum_kind, block),
                          .checksum_kind = checksum_kind});
    return format::record_header_bytes + bytes;
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

  BlockFormat format_;
  std::uint64_t block_bytes_;
  std::span<const std::uint8_t> input_;
  std::span<std::uint8_t> output_;
  EncodeElements encode_;
  std::uint64_t position_ = 0;
};

std::uint64_t block_count(const stage::InputToEncode& input) {
  return format::part_size(input.input_bytes, input.block_bytes);
}

std::uint64_t output_bytes(const stage::InputToEncode& input) {
  const std::uint64_t blocks = block_count(input);
  if (input.format == format::zero_length::bare_format) {
    return blocks * bare_header_bytes + encoding_room(input.format, input.input_bytes) + bare_size_bytes;
  }
  const std::uint64_t around =
      format::frame_header_bytes + blocks * (format::record_header_bytes + format::index_entry_bytes) +
      format::record_header_bytes + format::index_totals_bytes + format::frame_trailer_bytes;
  // A block is never larger than its bytes once it is written, but its encoder has more room.
  const std::uint64_t block_bytes = std::min(input.block_bytes, input.input_bytes);
  return around + input.input_bytes + encoding_room(input.format, block_bytes) - block_bytes;
}

class HostEncodePlan final : public stage::Plan {
public:
  HostEncodePlan(const stage::InputToEncode& input, const BlockEncoder& encoder)
      : input_(input), encode_(encoder.encode), batches_(input, reference::thread_count(encoder.threads)) {
    using stage::Role;
    parts_ = {
        {{.name = "input", .role = Role::input, .bytes = input.input_bytes, .alignment = 1},
         {.name = "output", .role = Role::output, .bytes = output_bytes(input), .alignment = 1},
         {.name = "state", .role = Role::state, .bytes = batches_.state_bytes(), .alignment = alignof(Slot)},
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
    MemoryWriter writer(input_, {static_cast<const std::uint8_t*>(given[0].data), input_.input_bytes},
                        {static_cast<std::uint8_t*>(given[1].data), parts_[1].bytes}, encode_);
    const std::uint64_t bytes = writer.write(batches_, static_cast<std::uint8_t*>(given[2].data));
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
  Batches batches_;
  std::array<stage::Part, 5> parts_{};
};

}  // namespace

HostEncodePlans::HostEncodePlans(const stage::Description& description, ChooseBlockEncoder choose)
    : description_(description), choose_(choose) {}

std::span<const BlockFormat> HostEncodePlans::formats() const {
  if (description_.format == format::zero_length::markers_format) return formats_with_markers;
  if (description_.format == format::zero_length::dictionary_format) return formats_with_dictionary;
  return formats_of_the_thesis;
}

void HostEncodePlans::check(const stage::FileToEncode& /*file*/) const {}

format::EncodeTotals HostEncodePlans::encode(const stage::FileToEncode& file,
                                             const format::ReadFunction& read,
                                             const format::WriteFunction& write,
                                             const format::ProgressFunction& progress) const {
  const BlockEncoder encoder = choose_({}, file.settings.options);
  format::EncodeSettings settings = file.settings;
  if (encoder.threads != 0) settings.threads = encoder.threads;
  const std::uint64_t needed = reference::zero_length::write_file_memory(file.format, settings.block_bytes);
  if (needed > file.memory_bytes) throw pipeline::MemoryLimitError(file.memory_bytes, needed);
  return reference::zero_length::write_file(file.format, read, write, settings, progress, encoder.encode,
                                            file.memory_bytes);
}

std::vector<std::pair<std::string, std::uint64_t>> HostEncodePlans::describe(
    const stage::InputToEncode& input) const {
  const auto refuse = [&](const std::string& problem) {
    throw std::invalid_argument("stage " + description_.id + ": " + problem);
  };
  if (std::ranges::find(formats(), input.format) == formats().end()) {
    refuse("does not write format " + std::string(format::block_format_name(input.format)));
  }
  if (input.block_bytes < 1 || input.block_bytes > format::max_block_bytes) {
    refuse("a block has 1 to " + std::to_string(format::max_block_bytes) + " bytes, not " +
           std::to_string(input.block_bytes));
  }
  if (input.format != format::zero_length::bare_format && block_count(input) > format::max_block_count) {
    refuse("a frame has at most " + std::to_string(format::max_block_count) + " blocks");
  }
  for (const auto& [name, value] : input.options) {
    if (!reference::codec_of(input.format).has_option(name)) refuse("has no option " + name);
  }
  stage::check_parameters(description_, input.parameters);
  return {};
}

std::unique_ptr<stage::Plan> HostEncodePlans::plan_of(const stage::InputToEncode& input) const {
  describe(input);
  return std::make_unique<HostEncodePlan>(input, choose_(input.parameters, input.options));
}

}  // namespace gsst::zero_length
