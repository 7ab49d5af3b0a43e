#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "common/format/bytes.hpp"
#include "common/format/error.hpp"
#include "common/format/zero_length/dictionary.hpp"
#include "common/format/zero_length/markers.hpp"
#include "common/format/zero_length/zero_length.hpp"
#include "fuzz/byte_changes.hpp"
#include "fuzz/payload_mutator.hpp"
#include "fuzz/zero_length/dictionary_mutator.hpp"
#include "fuzz/zero_length/markers_mutator.hpp"

/// The mutators of series zero_length: changes that stay near to elements that decode, and another reader of
/// the bare form.
namespace gsst::fuzz {
namespace {

namespace format_of_series = format::zero_length;
using Elements = std::vector<std::uint8_t>;

// Where the elements with a marker start.
std::vector<std::size_t> markers_of(const Elements& elements) {
  std::vector<std::size_t> markers;
  for (std::size_t i = 0; i + 1 < elements.size(); ++i) {
    if (elements[i] == format_of_series::marker) markers.push_back(i++);
  }
  return markers;
}

// The second byte of such an element that is chosen at random.
std::uint8_t& any_length(Elements& elements, const std::vector<std::size_t>& markers, Random& random) {
  return elements[markers[random.below(markers.size())] + 1];
}

// What one run loses another gets, so that the block keeps its size.
void move_zeros(Elements& elements, const std::vector<std::size_t>& markers, Random& random) {
  std::uint8_t& from = any_length(elements, markers, random);
  std::uint8_t& to = any_length(elements, markers, random);
  if (from < 2 || to == 0 || to >= format_of_series::longest_run) return;
  --from;
  ++to;
}

// NOLINTNEXTLINE(cppcoreguidelines-virtual-class-destructor): nobody owns it by a pointer to its base.
class ElementsMutator final : public PayloadMutator {
public:
  Block change(const Seeds& seeds, Random& random) const override {
    Block block = seeds.blocks[random.below(seeds.blocks.size())];
    const std::vector<std::size_t> markers = markers_of(block.bytes);
    if (block.layout == format::BlockLayout::raw || markers.empty()) {
      return PayloadMutator::change(seeds, random);
    }
    switch (random.below(5)) {
      case 0:
        move_zeros(block.bytes, markers, random);
        break;
      case 1:
        any_length(block.bytes, markers, random) = random.byte();
        break;
      case 2:
        block.bytes.back() = format_of_series::marker;
        break;
      case 3:
        block.bytes.pop_back();
        break;
      default:
        change_byte(block.bytes, {.begin = 0, .size = block.bytes.size()}, random);
    }
    return block;
  }

  // Counts what a reader counts that meets no rule: every element, wrong ones as if they were right.
  std::uint32_t repair_output_size(Block& block, std::uint32_t stated) const override {
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < block.bytes.size(); ++i) {
      const bool is_marked = block.bytes[i] == format_of_series::marker && i + 1 < block.bytes.size();
      bytes += is_marked ? std::max<std::uint8_t>(block.bytes[++i], 1) : 1;
    }
    return bytes > std::numeric_limits<std::uint32_t>::max() ? stated : static_cast<std::uint32_t>(bytes);
  }
};

// Reads a bare file from memory: all headers first, then the blocks by rising index.
// NOLINTNEXTLINE(cppcoreguidelines-virtual-class-destructor): nobody owns it by a pointer to its base.
class BareMutator final : public PayloadMutator {
public:
  std::optional<Elements> decode_otherwise(std::span<const std::uint8_t> file) const override {
    const std::map<std::uint64_t, std::span<const std::uint8_t>> blocks = blocks_of(file);
    Elements output;
    std::uint64_t block_bytes = 0;
    std::uint64_t next = 0;
    for (const auto& [index, elements] : blocks) {
      require(index == next++ && output.size() == index * block_bytes);
      const std::size_t before = output.size();
      append(output, elements);
      if (index == 0) block_bytes = output.size();
      require(output.size() - before <= block_bytes && (index == 0 || block_bytes != 0));
    }
    return output;
  }

private:
  static void require(bool holds) {
    if (!holds) throw format::FormatError(std::nullopt, "bare file", "breaks a rule");
  }

  static std::map<std::uint64_t, std::span<const std::uint8_t>> blocks_of(
      std::span<const std::uint8_t> file) {
    std::map<std::uint64_t, std::span<const std::uint8_t>> blocks;
    while (true) {
      require(file.size() >= format_of_series::bare_size_bytes);
      const std::uint64_t size = format::load_little_endian<8>(file.data());
      if (size == 0) break;
      require(size >= format_of_series::bare_header_bytes && size <= file.size());
      const std::uint64_t index =
          format::load_little_endian<8>(file.data() + format_of_series::bare_size_bytes);
      const auto elements =
          file.subspan(format_of_series::bare_header_bytes, size - format_of_series::bare_header_bytes);
      require(blocks.emplace(index, elements).second);
      file = file.subspan(size);
    }
    require(file.size() == format_of_series::bare_size_bytes);
    return blocks;
  }

  // A byte's meaning follows from the byte before it: a marker has no other place than an element's start.
  static void append(Elements& output, std::span<const std::uint8_t> elements) {
    bool follows_marker = false;
    for (const std::uint8_t byte : elements) {
      if (follows_marker) {
        require(byte <= format_of_series::longest_run);
        output.insert(output.end(), byte == 0 ? 1 : byte, byte == 0 ? format_of_series::marker : 0);
        follows_marker = false;
      } else if (byte == format_of_series::marker) {
        follows_marker = true;
      } else {
        output.push_back(byte);
      }
    }
    require(!follows_marker);
  }
};

constexpr ElementsMutator elements_mutator;
constexpr BareMutator bare_mutator;

}  // namespace

std::span<const FormatMutator> mutators_of_zero_length() {
  static const std::array<FormatMutator, 4> zero_length_mutators = {
      {{.format = format_of_series::bare_format, .mutator = &bare_mutator},
       {.format = format_of_series::frame_format, .mutator = &elements_mutator},
       {.format = format_of_series::markers_format, .mutator = &markers_mutator()},
       {.format = format_of_series::dictionary_format, .mutator = &dictionary_mutator()}}};
  return zero_length_mutators;
}

}  // namespace gsst::fuzz
