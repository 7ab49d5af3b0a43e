#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace gsst::experiments {

/// What Figures 18 and 19 of the thesis on zero-length coding count.
struct ByteCounts {
  static constexpr std::size_t longest_counted_run = 8;

  /// Occurrences of each byte value.
  std::array<std::uint64_t, 256> bytes{};
  /// Maximal runs of zeros by their length, as far as Figure 19 goes.
  std::array<std::uint64_t, longest_counted_run + 1> runs{};
  /// Runs that are longer, and by how many bytes their elements are shorter than they are.
  std::uint64_t longer_runs = 0;
  std::uint64_t saved_by_longer_runs = 0;
  std::uint64_t longest_run = 0;

  /// Adds a block. A run that reaches from block to block counts in both with its part, as it is encoded.
  void add(std::span<const std::uint8_t> block);

  std::uint64_t total_bytes() const;
  /// The least frequent byte value, the smallest of several (thesis, section 5.6.1; zeros are never it).
  std::uint8_t rarest_byte() const;
  /// Bytes of the elements (FORMAT.md, section 11.1) of all blocks, as they follow from the counts.
  std::uint64_t elements_bytes() const;

private:
  void add_run(std::uint64_t length);
};

/// Bytes that the elements of a run of `length` zeros take.
std::uint64_t elements_bytes_of_run(std::uint64_t length);

}  // namespace gsst::experiments
