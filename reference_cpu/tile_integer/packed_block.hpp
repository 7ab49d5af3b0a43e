#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/format/tile_integer/tile_integer.hpp"

/// Streams (FORMAT.md, section 12.3), which hold numbers as differences from a reference, and packed blocks
/// (section 12.1), which are streams of 4 miniblocks. Numbers are 64 bits here, extended with their sign
/// where they have one.
namespace gsst::reference::tile_integer {

/// The number that the `count` bytes at `bytes` are, at most 8, the lowest first.
std::uint64_t load_number(const std::uint8_t* bytes, std::size_t count);

/// Appends the lowest `count` bytes of a number, at most 8.
void append_number(std::vector<std::uint8_t>& bytes, std::uint64_t number, std::size_t count);

/// The lowest `bits` bits of a number, 1 to 64, read as a signed one.
std::uint64_t sign_extended(std::uint64_t number, std::uint32_t bits);

/// The smallest number, in the order of signed or of unsigned ones. There is at least one.
std::uint64_t smallest_number(std::span<const std::uint64_t> numbers, bool is_signed);

/// The words of 32 numbers of `width` bits, up to 64, which are their lowest ones: as many words as bits.
std::vector<std::uint32_t> words_of_miniblock(std::span<const std::uint64_t> numbers, std::uint32_t width);

/// The number of `width` bits at place `index` of the words at `bytes`, of which each is `stride` words after
/// the one before.
std::uint64_t number_in_words(const std::uint8_t* bytes, std::size_t stride, std::size_t index,
                              std::uint32_t width);

/// Appends the stream of numbers, none of which is below `reference`, in this many miniblocks, which are
/// enough for them and filled with the reference.
void append_stream(std::vector<std::uint8_t>& payload, std::span<const std::uint64_t> numbers,
                   std::size_t miniblocks, std::uint64_t reference, std::uint32_t reference_words);

/// What a stream holds: a number for each place of its miniblocks, modulo 2^R, R being the reference's bits.
struct StreamNumbers {
  std::vector<std::uint64_t> numbers;
  /// The first byte after the last miniblock.
  const std::uint8_t* end;
};

/// The numbers of the stream whose reference is at `bytes`.
StreamNumbers numbers_of_stream(const std::uint8_t* bytes, std::size_t miniblocks,
                                std::uint32_t reference_words);

/// Appends the packed block of 1 to 128 numbers, none of which is below `reference`, filled with it.
void append_packed_block(std::vector<std::uint8_t>& payload, std::span<const std::uint64_t> numbers,
                         std::uint64_t reference, const format::tile_integer::TypeShape& type);

/// The numbers of the packed block whose reference is at `bytes`, modulo 2^R, R being the reference's bits.
std::vector<std::uint64_t> numbers_of_packed_block(const std::uint8_t* bytes,
                                                   const format::tile_integer::TypeShape& type);

}  // namespace gsst::reference::tile_integer
