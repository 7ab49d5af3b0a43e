#include "experiments/measure_cpu_stages/bare_file.hpp"

#include <algorithm>
#include <string>

#include "common/format/bytes.hpp"
#include "common/format/part_size.hpp"
#include "common/format/zero_length/zero_length.hpp"
#include "common/frame/frame_fields.hpp"
#include "common/frame/index_entry.hpp"
#include "experiments/measure/shared/error.hpp"

namespace gsst::experiments {

using namespace format::zero_length;

BareFile read_bare_file(std::span<const std::uint8_t> file, std::uint64_t block_bytes,
                        std::uint64_t uncompressed_bytes) {
  const std::uint64_t blocks = format::part_size(uncompressed_bytes, block_bytes);
  BareFile read = {.subject = {.frame = {.bytes = nullptr,
                                         .frame_bytes = file.size(),
                                         .index_offset = 0,
                                         .uncompressed_bytes = uncompressed_bytes,
                                         .block_count = static_cast<std::uint32_t>(blocks),
                                         .split_count = 1,
                                         .format = frame_format,
                                         .payload_traits = 0,
                                         .has_raw_blocks = false},
                               .index_is_apart = true},
                   .index = std::vector<std::uint8_t>(blocks * format::index_entry_bytes)};
  std::uint64_t position = 0;
  for (std::uint64_t block = 0; block < blocks; ++block) {
    const std::uint64_t left = file.size() - position;
    const std::uint64_t size =
        left < bare_header_bytes ? 0 : format::load_little_endian<8>(file.data() + position);
    if (size < bare_header_bytes || size > left ||
        format::load_little_endian<8>(file.data() + position + bare_size_bytes) != block) {
      throw MismatchError("block " + std::to_string(block) + " of the bare file is not where it should be");
    }
    const std::uint64_t begin = block * block_bytes;
    format::write_index_entry(
        read.index.data() + block * format::index_entry_bytes,
        {.payload_offset = position + bare_header_bytes,
         .uncompressed_offset = begin,
         .record = {.layout = elements_layout,
                    .payload_bytes = static_cast<std::uint32_t>(size - bare_header_bytes),
                    .uncompressed_bytes =
                        static_cast<std::uint32_t>(std::min(block_bytes, uncompressed_bytes - begin)),
                    .checksum = 0}});
    read.subject.frame.note_block(elements_layout, 0);
    position += size;
  }
  return read;
}

}  // namespace gsst::experiments
