#include "fuzz/kernels/frame_changes.hpp"

#include <cstddef>
#include <cstring>

#include "common/frame/frame.hpp"
#include "common/stage/frame_shape.hpp"
#include "library/repaired_checksums.hpp"

namespace gsst::fuzz {
namespace {

using Bytes = std::vector<std::uint8_t>;

void change_byte(std::uint8_t& byte, Random& random) {
  byte = random.one_in(2) ? random.byte() : static_cast<std::uint8_t>(byte ^ 1U << random.below(8));
}

// A byte of the record of a block, and the same one of the index entry that repeats it.
void change_record(Bytes& frame, std::uint64_t index_offset, std::size_t blocks, Random& random) {
  const std::uint64_t entry = index_offset + random.below(blocks) * format::index_entry_bytes;
  std::uint64_t payload_offset = 0;
  std::memcpy(&payload_offset, frame.data() + entry, sizeof payload_offset);
  // The checksum at its end is all that a plan takes as it is.
  const std::uint32_t place = random.one_in(2) ? format::record_header_bytes - 1 - random.below(8)
                                               : random.below(format::record_header_bytes);
  std::uint8_t& repeated = frame[entry + format::index_entry_bytes - format::record_header_bytes + place];
  change_byte(repeated, random);
  // An entry that was changed before may name any place.
  const std::uint64_t in_record = payload_offset - format::record_header_bytes + place;
  if (in_record < index_offset) frame[in_record] = repeated;
}

}  // namespace

Bytes change_frame(Bytes frame, Random& random) {
  const stage::FrameOnDevice shape = stage::frame_shape(frame);
  const std::uint64_t index = shape.index_offset;
  const std::size_t blocks = shape.block_count;
  for (std::uint32_t changes = 1 + random.below(2); changes > 0; --changes) {
    switch (random.below(3)) {
      case 0:
        change_byte(frame[random.below(format::frame_header_bytes)], random);
        break;
      case 1:
        change_record(frame, index, blocks, random);
        break;
      default:
        change_byte(frame[index + random.number() % (frame.size() - index)], random);
    }
  }
  if (!random.one_in(4)) library::repair_checksums(frame);
  return frame;
}

}  // namespace gsst::fuzz
