#pragma once

#include <cstdint>

#include "common/format/gsst/tiles_header.hpp"
#include "stages/search/shared/describe_blocks.cuh"
#include "stages/search/shared/search_on_device.hpp"

// Reads the text around single codes, a byte at a time, over the borders of tiles, strips and blocks and
// through blocks of any kind. For what is rare: a walk waits for memory at each code.
namespace gsst::search::kernels {
namespace {

// No byte of the text.
constexpr std::int32_t no_byte = -1;

// What a code puts out: the first byte in the lowest 8 bits.
struct CodeOutput {
  std::uint64_t symbol;
  std::uint32_t length;
};

// The `length` bytes at `address`, at most 8. Up to 11 bytes from `address` on are loaded: the block and its
// frame go on there.
__device__ __forceinline__ std::uint64_t load_symbol(const std::uint8_t* address, std::uint32_t length) {
  if (length == 0) return 0;
  const auto misalignment = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(address) % 4);
  const auto* const words = reinterpret_cast<const std::uint32_t*>(address - misalignment);
  const std::uint32_t low = __funnelshift_r(words[0], words[1], 8 * misalignment);
  const std::uint32_t high = __funnelshift_r(words[1], words[2], 8 * misalignment);
  return (std::uint64_t{high} << 32 | low) << (64 - 8 * length) >> (64 - 8 * length);
}

// The sum of 16 nibbles, each at most 8.
__device__ __forceinline__ std::uint32_t sum_of_nibbles(std::uint64_t nibbles) {
  constexpr std::uint64_t low_nibbles = 0x0f0f0f0f0f0f0f0f;
  const std::uint64_t pairs = (nibbles & low_nibbles) + (nibbles >> 4 & low_nibbles);
  return static_cast<std::uint32_t>(pairs * 0x0101010101010101 >> 56);
}

// The length of the symbol of `code`.
__device__ __forceinline__ std::uint32_t code_length(const SearchedBlock& block, std::uint32_t code) {
  return static_cast<std::uint32_t>(block.class_lengths >> (4 * (code >> (block.code_bits - 4))) & 0xf);
}

// What `code` puts out by the table of `block`, which is not raw: of the first half of a byte, what it adds
// to the byte.
__device__ inline CodeOutput output_of_code(const SearchOnDevice& search, const SearchedBlock& block,
                                            std::uint32_t code) {
  const std::uint32_t length = code_length(block, code);
  if (code < block.first_stored_code) {
    if (block.code_bits != 8) return {.symbol = code, .length = length};
    return {.symbol = code < 16 ? code << 4 : code - 16, .length = length};
  }
  const std::uint32_t class_codes = 1u << (block.code_bits - 4);
  const std::uint32_t code_class = code / class_codes;
  const std::uint64_t classes_before = (block.class_lengths & ((std::uint64_t{1} << (4 * code_class)) - 1)) >>
                                       (4 * (block.first_stored_code / class_codes));
  const std::uint32_t place = class_codes * sum_of_nibbles(classes_before) + code % class_codes * length;
  return {.symbol = load_symbol(search.frame + block.symbols + place, length), .length = length};
}

// Code `index` of a block that is not raw.
__device__ __forceinline__ std::uint32_t code_of_block(const SearchOnDevice& search,
                                                       const SearchedBlock& block, std::uint32_t index) {
  const format::TileShape shape = block.shape();
  return format::tile_code(search.frame + block.tile(index / shape.codes()), shape, index % shape.codes());
}

// What code `index` of a block puts out, of a raw block byte `index`.
__device__ __forceinline__ CodeOutput output_at(const SearchOnDevice& search, const SearchedBlock& block,
                                                std::uint32_t index) {
  if (block.is_raw()) return {.symbol = search.frame[block.payload + index], .length = 1};
  return output_of_code(search, block, code_of_block(search, block, index));
}

// Reports that codes of the strip of code `index`, which is of block `block`, are not searched.
__device__ __forceinline__ void report_codes_without_output(const SearchOnDevice& search, std::uint32_t block,
                                                            std::uint32_t index) {
  const std::uint32_t strip = search.blocks[block].strip_of(index);
  atomicMax(&search.statuses[block],
            format::strip_status(static_cast<format::BlockStatus>(codes_without_output_status), strip));
}

// Reads the text backwards.
class TextBefore {
public:
  // From the place in front of what code `code` of block `block` puts out.
  __device__ TextBefore(const SearchOnDevice& search, std::uint32_t block, std::uint32_t code)
      : search_(search), block_(block), code_(code) {}

  // The byte in front of the place, which goes there; no_byte at the text's start.
  __device__ std::int32_t next() {
    while (left_ == 0) {
      if (code_ == 0) {
        if (block_ == 0) return no_byte;
        code_ = search_.blocks[--block_].code_count;
        continue;
      }
      if (!load()) return no_byte;
    }
    --left_;
    return static_cast<std::int32_t>(symbol_ >> (8 * left_) & 0xff);
  }

private:
  // Goes to the code before, and over codes without output in front of it: a first half of a byte is part of
  // the output. False where there are too many.
  __device__ bool load() {
    const SearchedBlock& block = search_.blocks[block_];
    const CodeOutput output = output_at(search_, block, --code_);
    if (output.length == 0) {
      if (++without_output_ <= most_codes_without_output) return true;
      report_codes_without_output(search_, block_, code_);
      return false;
    }
    without_output_ = 0;
    symbol_ = output.symbol;
    left_ = output.length;
    if (!block.has_halves()) return true;
    // The strip's end drops halves.
    while (code_ % block.strip_codes() != 0) {
      const std::uint32_t before = code_of_block(search_, block, code_ - 1);
      if (code_length(block, before) != 0) break;
      symbol_ |= output_of_code(search_, block, before).symbol;
      --code_;
      if (++without_output_ <= most_codes_without_output) continue;
      // not covered: a tenth of the inputs, which AddressSanitizer sees, has no such codes
      report_codes_without_output(search_, block_, code_);
      return false;  // not covered: as above
    }
    without_output_ = 0;
    return true;
  }

  const SearchOnDevice& search_;
  std::uint32_t block_;
  // Of those of the block, the first that has been read.
  std::uint32_t code_;
  std::uint64_t symbol_ = 0;
  // Bytes of the symbol that have not been read.
  std::uint32_t left_ = 0;
  std::uint32_t without_output_ = 0;
};

// Reads the text forwards.
class TextAfter {
public:
  // From the place in front of what code `code` of block `block` puts out.
  __device__ TextAfter(const SearchOnDevice& search, std::uint32_t block, std::uint32_t code)
      : search_(search), block_(block), code_(code) {
    const SearchedBlock& searched = search.blocks[block];
    if (!searched.has_halves()) return;
    for (std::uint32_t before = code; before % searched.strip_codes() != 0; --before) {
      const std::uint32_t half = code_of_block(search, searched, before - 1);
      if (code_length(searched, half) != 0) break;
      waiting_ |= output_of_code(search, searched, half).symbol;
      if (++without_output_ <= most_codes_without_output) continue;
      report_codes_without_output(search, block, before - 1);
      break;
    }
  }

  // The next byte, after which the place is then; no_byte at the text's end.
  __device__ std::int32_t next() {
    while (left_ == 0) {
      if (code_ == search_.blocks[block_].code_count) {
        if (block_ + 1 == search_.block_count) return no_byte;
        ++block_;
        code_ = 0;
        waiting_ = 0;
        continue;
      }
      if (!load()) return no_byte;
    }
    const auto byte = static_cast<std::int32_t>(symbol_ & 0xff);
    symbol_ >>= 8;
    --left_;
    return byte;
  }

  // The block of the byte that was read last, and the code after the one that put it out.
  __device__ std::uint32_t block() const { return block_; }
  __device__ std::uint32_t code() const { return code_; }
  // Bytes of that code that were not read yet.
  __device__ std::uint32_t left() const { return left_; }

private:
  // Loads the next code. False where too many codes put nothing out.
  __device__ bool load() {
    const SearchedBlock& block = search_.blocks[block_];
    const CodeOutput output = output_at(search_, block, code_++);
    symbol_ = output.symbol | waiting_;
    left_ = output.length;
    waiting_ = 0;
    if (output.length != 0) {
      without_output_ = 0;
      return true;
    }
    if (code_ % block.strip_codes() != 0) waiting_ = symbol_;
    if (++without_output_ <= most_codes_without_output) return true;
    report_codes_without_output(search_, block_, code_ - 1);
    return false;
  }

  const SearchOnDevice& search_;
  std::uint32_t block_;
  // The next one of the block.
  std::uint32_t code_;
  // The output of the code before that has not been read.
  std::uint64_t symbol_ = 0;
  std::uint32_t left_ = 0;
  // First halves of a byte.
  std::uint64_t waiting_ = 0;
  std::uint32_t without_output_ = 0;
};

}  // namespace
}  // namespace gsst::search::kernels
