#include "reference_cpu/codag/byte_rle_block.hpp"

#include <algorithm>
#include <cstddef>

#include "common/format/codag/codag.hpp"
#include "reference_cpu/codag/run_reader.hpp"

namespace gsst::reference::codag {
namespace {

// How many equal bytes at the start of `bytes` a run can have.
std::size_t equal_bytes(std::span<const std::uint8_t> bytes) {
  const auto most = bytes.first(std::min<std::size_t>(bytes.size(), format::codag::longest_run));
  const auto other =
      std::find_if(most.begin(), most.end(), [&](std::uint8_t byte) { return byte != most.front(); });
  return static_cast<std::size_t>(other - most.begin());
}

}  // namespace

std::vector<std::uint8_t> encode_byte_rle(std::span<const std::uint8_t> block) {
  using format::codag::shortest_run;
  std::vector<std::uint8_t> payload;
  while (!block.empty()) {
    if (const std::size_t run = equal_bytes(block); run >= shortest_run) {
      payload.push_back(static_cast<std::uint8_t>(run - shortest_run));
      payload.push_back(block.front());
      block = block.subspan(run);
      continue;
    }
    const std::size_t most = std::min<std::size_t>(block.size(), format::codag::longest_list);
    std::size_t list = 1;
    while (list < most && equal_bytes(block.subspan(list)) < shortest_run) ++list;
    payload.push_back(static_cast<std::uint8_t>(256 - list));
    payload.insert(payload.end(), block.begin(), block.begin() + static_cast<std::ptrdiff_t>(list));
    block = block.subspan(list);
  }
  return payload;
}

std::vector<std::uint8_t> decode_byte_rle(std::span<const std::uint8_t> payload,
                                          std::uint32_t uncompressed_bytes, std::uint64_t block) {
  std::vector<std::uint8_t> output;
  output.reserve(uncompressed_bytes);
  const auto room = [&] { return static_cast<std::uint32_t>(uncompressed_bytes - output.size()); };
  RunReader reader(payload, 0, block);
  while (room() != 0 && !reader.at_end()) {
    reader.start_run();
    const std::uint32_t first = reader.byte();
    if (first < format::codag::first_list_byte) {
      const std::uint32_t count = first + format::codag::shortest_run;
      reader.check_room(count, room());
      output.insert(output.end(), count, reader.byte());
    } else {
      const std::uint32_t count = 256 - first;
      reader.check_room(count, room());
      const auto list = reader.bytes(count);
      output.insert(output.end(), list.begin(), list.end());
    }
  }
  reader.check_end(room());
  return output;
}

}  // namespace gsst::reference::codag
