#include "experiments/measure_line_rate/expected_blocks.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "common/format/bytes.hpp"
#include "common/format/zero_length/zero_length.hpp"
#include "experiments/measure/shared/error.hpp"
#include "reference_cpu/zero_length/elements.hpp"

namespace gsst::experiments {
namespace {

using format::zero_length::bare_header_bytes;
using format::zero_length::bare_size_bytes;

[[noreturn]] void refuse(const zero_length::FeedBlock& block) {
  throw MismatchError("block " + std::to_string(block.index) + ": other bytes than the oracle's");
}

}  // namespace

ExpectedBlocks::ExpectedBlocks(std::span<const std::uint8_t> data, std::uint64_t block_bytes)
    : data_(data), block_bytes_(block_bytes), elements_(data.size() / block_bytes) {
  if (elements_.empty()) {
    throw InputError("the input has " + std::to_string(data.size()) + " bytes, a block has " +
                     std::to_string(block_bytes));
  }
  std::vector<std::uint8_t> room(format::zero_length::max_elements_bytes(block_bytes));
  for (std::size_t content = 0; content < elements_.size(); ++content) {
    const std::size_t size = reference::zero_length::encode_elements(block(content), room);
    elements_[content].assign(room.begin(), room.begin() + static_cast<std::ptrdiff_t>(size));
  }
}

std::span<const std::uint8_t> ExpectedBlocks::block(std::size_t content) const {
  return data_.subspan(content * block_bytes_, block_bytes_);
}

std::span<const std::uint8_t> ExpectedBlocks::checked_elements(const zero_length::FeedBlock& block,
                                                               std::size_t content) const {
  if (block.uncompressed_bytes != block_bytes_ ||
      block.bytes.size() != bare_header_bytes + elements_[content].size() ||
      format::load_little_endian<8>(block.bytes.data()) != block.bytes.size() ||
      format::load_little_endian<8>(block.bytes.data() + bare_size_bytes) != block.index) {
    refuse(block);
  }
  return block.bytes.subspan(bare_header_bytes);
}

void ExpectedBlocks::check_all(const zero_length::FeedBlock& block, std::size_t content) const {
  if (!std::ranges::equal(checked_elements(block, content), elements_[content])) refuse(block);
}

void ExpectedBlocks::check_pieces(const zero_length::FeedBlock& block, std::size_t content) const {
  constexpr std::size_t pieces = 16;
  constexpr std::size_t piece_bytes = 64;
  const std::span<const std::uint8_t> written = checked_elements(block, content);
  const std::vector<std::uint8_t>& expected = elements_[content];
  const std::size_t compared = std::min(piece_bytes, written.size());
  const std::size_t places = written.size() - compared + 1;
  for (std::size_t piece = 0; piece < pieces; ++piece) {
    // The golden ratio of 2^64 spreads consecutive numbers over all places.
    const std::size_t place = (block.index * pieces + piece) * 0x9e3779b97f4a7c15U % places;
    if (std::memcmp(written.data() + place, expected.data() + place, compared) != 0) refuse(block);
  }
}

}  // namespace gsst::experiments
