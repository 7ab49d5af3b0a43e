#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "common/format/block_format.hpp"
#include "common/format/bytes.hpp"
#include "common/format/part_size.hpp"
#include "common/format/stream.hpp"
#include "common/format/zero_length/zero_length.hpp"
#include "reference_cpu/zero_length/bare_file.hpp"

// The blocks of a bare file in memory: where they are, and how many bytes they decode to.
namespace gsst::zero_length::host_to_host {
namespace {

struct StoredBlock {
  std::uint64_t index;
  // From the file's first byte to the block's header.
  std::uint64_t offset;
  // With the header.
  std::uint64_t stored_bytes;

  std::uint64_t elements_bytes() const { return stored_bytes - format::zero_length::bare_header_bytes; }
};

struct BareBlocks {
  // By rising index, whatever their order in the file.
  std::vector<StoredBlock> stored;
  // Uncompressed, of every block but the last, and of that.
  std::uint64_t block_bytes = 0;
  std::uint64_t last_bytes = 0;

  std::uint64_t output_bytes() const {
    return stored.empty() ? 0 : (stored.size() - 1) * block_bytes + last_bytes;
  }
  std::uint64_t bytes_of_block(std::uint64_t block) const {
    return block + 1 == stored.size() ? last_bytes : block_bytes;
  }
};

// Bytes that elements decode to; nothing where one of them is not allowed. Goes from marker to marker: from
// byte to byte it would take a millisecond for the first block of 1 MiB, in which a link moves 50 MB.
inline std::optional<std::uint64_t> decoded_bytes(std::span<const std::uint8_t> elements) {
  using namespace format::zero_length;
  std::uint64_t bytes = 0;
  while (!elements.empty()) {
    const void* const found = std::memchr(elements.data(), marker, elements.size());
    if (found == nullptr) return bytes + elements.size();
    const auto literals = static_cast<std::size_t>(static_cast<const std::uint8_t*>(found) - elements.data());
    const std::span<const std::uint8_t> rest = elements.subspan(literals);
    if (rest.size() < marked_element_bytes || rest[1] > longest_run) return std::nullopt;
    bytes += literals + (rest[1] == literal_marker ? 1 : rest[1]);
    elements = rest.subspan(marked_element_bytes);
  }
  return bytes;
}

// The headers of all blocks, in the order of the file; nothing where one breaks a rule.
inline std::optional<std::vector<StoredBlock>> read_headers(std::span<const std::uint8_t> file) {
  using namespace format::zero_length;
  constexpr std::uint64_t most = max_bare_block_bytes(format::max_block_bytes);
  std::vector<StoredBlock> blocks;
  for (std::uint64_t offset = 0; file.size() - offset >= bare_size_bytes;) {
    const std::uint64_t left = file.size() - offset;
    const std::uint64_t size = format::load_little_endian<bare_size_bytes>(file.data() + offset);
    if (size == 0) return left == bare_size_bytes ? std::optional(std::move(blocks)) : std::nullopt;
    if (size < bare_header_bytes || size > most || size > left) return std::nullopt;
    const std::uint64_t index = format::load_little_endian<8>(file.data() + offset + bare_size_bytes);
    blocks.push_back({.index = index, .offset = offset, .stored_bytes = size});
    offset += size;
  }
  return std::nullopt;
}

// All that can be known without decoding; nothing where something is wrong.
inline std::optional<BareBlocks> find_blocks(std::span<const std::uint8_t> file) {
  std::optional<std::vector<StoredBlock>> headers = read_headers(file);
  if (!headers) return std::nullopt;
  BareBlocks blocks = {.stored = std::move(*headers)};
  std::vector<StoredBlock>& stored = blocks.stored;
  if (stored.empty()) return blocks;
  if (!std::ranges::is_sorted(stored, {}, &StoredBlock::index)) {
    std::ranges::sort(stored, {}, &StoredBlock::index);
  }
  for (std::uint64_t index = 0; index < stored.size(); ++index) {
    if (stored[index].index != index) return std::nullopt;
  }
  const auto bytes_of = [&](const StoredBlock& block) {
    return decoded_bytes(
        file.subspan(block.offset + format::zero_length::bare_header_bytes, block.elements_bytes()));
  };
  const std::optional<std::uint64_t> last = bytes_of(stored.back());
  const std::optional<std::uint64_t> first = stored.size() == 1 ? last : bytes_of(stored.front());
  if (!first || !last || *first > format::max_block_bytes || *last > *first) return std::nullopt;
  if (stored.size() > 1 && *first == 0) return std::nullopt;
  blocks.block_bytes = *first;
  blocks.last_bytes = *last;
  // What no elements can decode to does not get to a kernel, as in a frame. Those of the last block are
  // known.
  using namespace format::zero_length;
  const std::uint64_t least = format::part_size(*first, longest_run / marked_element_bytes);
  const auto may_be_whole = [&](const StoredBlock& block) {
    return block.elements_bytes() >= least && block.elements_bytes() <= max_elements_bytes(*first);
  };
  const bool fit = std::ranges::all_of(std::span(stored).first(stored.size() - 1), may_be_whole);
  return fit ? std::optional(std::move(blocks)) : std::nullopt;
}

// Throws what the codec says of a file in which something is wrong: block, field and byte. It reads the file
// once more for it.
[[noreturn]] inline void throw_problem_of(std::span<const std::uint8_t> file) {
  const format::ReadFunction read = format::reader_of(file);
  reference::zero_length::BareReader(read).read_all([](std::span<const std::uint8_t>) {}, {});
  throw std::logic_error("a bare file that the codec decodes was refused");
}

}  // namespace
}  // namespace gsst::zero_length::host_to_host
