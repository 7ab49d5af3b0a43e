#include "fuzz/frame_mutator.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "common/format/bytes.hpp"
#include "common/format/error.hpp"
#include "common/format/formats.hpp"
#include "common/frame/checksum.hpp"
#include "common/frame/frame.hpp"
#include "fuzz/block_oracle.hpp"
#include "fuzz/payload_mutator.hpp"
#include "fuzz/random.hpp"

namespace gsst::fuzz {
namespace {

using format::BlockFormat;
using format::BlockLayout;
using format::load_little_endian;
using format::store_little_endian;
using Bytes = std::vector<std::uint8_t>;

// Offsets of fields in the frame header and in record headers (FORMAT.md, section 6).
constexpr std::size_t format_id_offset = 10;
constexpr std::size_t block_size_offset = 16;
constexpr std::size_t split_count_offset = 24;
constexpr std::size_t checksum_kind_offset = 12;
constexpr std::size_t header_checksum_offset = 32;
constexpr std::size_t layout_offset = 1;
constexpr std::size_t payload_bytes_offset = 8;
constexpr std::size_t uncompressed_bytes_offset = 12;
constexpr std::size_t checksum_offset = 16;

// How much a mutation may add to a part.
constexpr std::size_t most_growth = 256;

struct Record {
  std::array<std::uint8_t, format::record_header_bytes> header{};
  Bytes payload;
};

struct Parts {
  std::array<std::uint8_t, format::frame_header_bytes> header{};
  std::vector<Record> blocks;
};

// Takes the records as far as they can be followed.
Parts take_apart(std::span<const std::uint8_t> frame) {
  Parts parts;
  std::copy_n(frame.begin(), format::frame_header_bytes, parts.header.begin());
  auto rest = frame.subspan(format::frame_header_bytes);
  while (rest.size() >= format::record_header_bytes &&
         rest[0] == static_cast<std::uint8_t>(format::RecordKind::block)) {
    Record record;
    std::copy_n(rest.begin(), format::record_header_bytes, record.header.begin());
    rest = rest.subspan(format::record_header_bytes);
    const std::size_t stated = load_little_endian<4>(record.header.data() + payload_bytes_offset);
    const auto payload = rest.first(std::min(stated, rest.size()));
    record.payload.assign(payload.begin(), payload.end());
    rest = rest.subspan(payload.size());
    parts.blocks.push_back(std::move(record));
  }
  return parts;
}

// Every block but the last has the block size, so it follows the first one.
void repair_block_size(Parts& parts) {
  std::uint64_t largest = 1;
  for (const Record& record : parts.blocks) {
    largest = std::max(largest, load_little_endian<4>(record.header.data() + uncompressed_bytes_offset));
  }
  store_little_endian<8>(parts.header.data() + block_size_offset, largest);
}

void repair_header_checksum(Parts& parts) {
  store_little_endian<8>(parts.header.data() + header_checksum_offset,
                         format::checksum(std::span(parts.header).first(header_checksum_offset)));
}

// Appends the records to `frame` as they are and returns the index that lists them.
format::FrameIndex append_blocks(const Parts& parts, Bytes& frame) {
  format::FrameIndex index;
  for (const Record& record : parts.blocks) {
    const std::uint8_t* header = record.header.data();
    format::append_block(
        index, {.layout = static_cast<BlockLayout>(header[layout_offset]),
                .payload_bytes = static_cast<std::uint32_t>(record.payload.size()),
                .uncompressed_bytes =
                    static_cast<std::uint32_t>(load_little_endian<4>(header + uncompressed_bytes_offset)),
                .checksum = load_little_endian<8>(header + checksum_offset),
                .checksum_kind = static_cast<format::ChecksumKind>(parts.header[checksum_kind_offset])});
    frame.insert(frame.end(), record.header.begin(), record.header.end());
    frame.insert(frame.end(), record.payload.begin(), record.payload.end());
  }
  return index;
}

// What the header says, which may be damaged.
format::FrameHeader stated_header(const Parts& parts) {
  const std::uint8_t* const header = parts.header.data();
  return {.format = static_cast<BlockFormat>(load_little_endian<2>(header + format_id_offset)),
          .block_size = load_little_endian<8>(header + block_size_offset),
          .split_count = static_cast<std::uint32_t>(load_little_endian<4>(header + split_count_offset)),
          .checksum_kind = static_cast<format::ChecksumKind>(header[checksum_kind_offset])};
}

// Nullptr for a format that no frame has.
const format::PayloadRules* rules_of_frame(const format::FrameHeader& header) {
  const std::optional<format::Format> found = format::find_format(header.format);
  return found ? found->rules : nullptr;
}

// Has `repair`, uncompressed_bytes(block, stated), change the payload of a record that is not raw.
template <typename Repair>
void repair_coded(Record& record, const Repair& repair) {
  Block block{.layout = static_cast<BlockLayout>(record.header[layout_offset]),
              .bytes = std::move(record.payload)};
  std::uint8_t* const stated = record.header.data() + uncompressed_bytes_offset;
  if (block.layout != BlockLayout::raw) {
    store_little_endian<4>(stated, repair(block, static_cast<std::uint32_t>(load_little_endian<4>(stated))));
  }
  record.payload = std::move(block.bytes);
}

// The checksums of the outputs, where there are any.
void repair_block_checksums(Parts& parts) {
  try {
    const format::FrameHeader header = format::parse_frame_header(parts.header);
    BlockOracle oracle(header);
    for (std::size_t block = 0; block < parts.blocks.size(); ++block) {
      Record& record = parts.blocks[block];
      try {
        const format::BlockRecord fields = format::parse_record_header(record.header, header, block).fields;
        const format::CheckedPayload checked = oracle.check(record.payload, fields, block);
        store_little_endian<8>(
            record.header.data() + checksum_offset,
            format::checksum(header.checksum_kind, oracle.decode(record.payload, fields, checked, block)));
      } catch (const format::FormatError&) {
        continue;  // A block that is rejected has no output.
      }
    }
  } catch (const format::FormatError&) {
    return;  // Nor has any block of a frame whose header is.
  }
}

class FrameMutation {
public:
  FrameMutation(unsigned seed, const MutateBytes& mutate) : random_(seed, 0), mutate_(mutate) {}

  Bytes run(std::span<const std::uint8_t> frame) {
    if (frame.size() < format::frame_header_bytes || random_.one_in(16)) {
      Bytes bytes(frame.begin(), frame.end());
      change(bytes);
      return bytes;
    }
    Parts parts = take_apart(frame);
    change_a_part(parts);
    return put_together(parts);
  }

private:
  void change(Bytes& bytes) {
    const std::size_t size = bytes.size();
    bytes.resize(size + most_growth);
    bytes.resize(mutate_(bytes.data(), size, bytes.size()));
  }

  void change_in_place(std::span<std::uint8_t> bytes) {
    Bytes changed(bytes.begin(), bytes.end());
    changed.resize(mutate_(changed.data(), changed.size(), changed.size()));
    std::copy(changed.begin(), changed.end(), bytes.begin());
  }

  void change_a_part(Parts& parts) {
    if (parts.blocks.empty() || random_.one_in(12)) {
      change_in_place(std::span(parts.header).subspan(format::frame_magic.size()));
      return;
    }
    const std::size_t chosen = random_.below(parts.blocks.size());
    Record& record = parts.blocks[chosen];
    switch (random_.below(12)) {
      case 0:
        change_in_place(record.header);
        break;
      case 1:
        parts.blocks.push_back(record);
        break;
      case 2:
        parts.blocks.erase(parts.blocks.begin() + static_cast<std::ptrdiff_t>(chosen));
        break;
      default:
        change(record.payload);
    }
  }

  void repair_record(const format::FrameHeader& header, Record& record) {
    const format::PayloadRules* const rules = rules_of_frame(header);
    if (rules != nullptr && rules->limits().payload_alignment > 1 && !random_.one_in(32)) {
      record.payload.resize(
          format::padded_payload_bytes(record.payload.size(), rules->limits().payload_alignment));
    }
    const auto layout = static_cast<BlockLayout>(record.header[layout_offset]);
    // The format's repairs may change the size.
    const bool repairs_fields = !random_.one_in(32);
    if (repairs_fields && layout == BlockLayout::raw) {
      store_little_endian<4>(record.header.data() + uncompressed_bytes_offset, record.payload.size());
    } else if (repairs_fields) {
      repair_coded(record, [&](Block& block, std::uint32_t stated) {
        return mutator_of(header.format).repair_fields(block, header, stated, random_);
      });
    }
    if (!random_.one_in(32)) {
      store_little_endian<4>(record.header.data() + payload_bytes_offset, record.payload.size());
    }
  }

  Bytes put_together(Parts& parts) {
    if (!random_.one_in(32)) repair_header_checksum(parts);
    const format::FrameHeader header = stated_header(parts);
    for (Record& record : parts.blocks) repair_record(header, record);
    if (!random_.one_in(4)) {
      repair_block_size(parts);
      repair_header_checksum(parts);
    }
    Bytes frame(parts.header.begin(), parts.header.end());
    const format::FrameIndex index = append_blocks(parts, frame);
    Bytes end = format::build_frame_end(index);
    if (random_.one_in(16)) change(end);
    frame.insert(frame.end(), end.begin(), end.end());
    return frame;
  }

  Random random_;
  const MutateBytes& mutate_;
};

}  // namespace

std::vector<std::uint8_t> mutate_frame(std::span<const std::uint8_t> frame, unsigned seed,
                                       const MutateBytes& mutate) {
  return FrameMutation(seed, mutate).run(frame);
}

std::vector<std::uint8_t> with_repaired_outputs(std::span<const std::uint8_t> frame) {
  if (frame.size() < format::frame_header_bytes) return {frame.begin(), frame.end()};
  Parts parts = take_apart(frame);
  const PayloadMutator& mutator = mutator_of(stated_header(parts).format);
  for (Record& record : parts.blocks) {
    repair_coded(record, [&](Block& block, std::uint32_t stated) {
      return mutator.repair_output_size(block, stated);
    });
  }
  repair_block_size(parts);
  repair_header_checksum(parts);
  repair_block_checksums(parts);
  Bytes repaired(parts.header.begin(), parts.header.end());
  const Bytes end = format::build_frame_end(append_blocks(parts, repaired));
  repaired.insert(repaired.end(), end.begin(), end.end());
  return repaired;
}

}  // namespace gsst::fuzz
