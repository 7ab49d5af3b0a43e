#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

/// Input that is read and output that is written in one pass, and what is counted on the way.
namespace gsst::format {

/// Fills `buffer` from the input and returns the bytes read: fewer than asked for only at the input's end.
using ReadFunction = std::function<std::size_t(std::span<std::uint8_t> buffer)>;

/// Writes all of `bytes` to the output, or throws.
using WriteFunction = std::function<void(std::span<const std::uint8_t> bytes)>;

/// Counts of what went in and out so far.
struct StreamTotals {
  std::uint64_t input_bytes = 0;
  std::uint64_t output_bytes = 0;
  std::uint64_t blocks = 0;
};
/// Called after each batch of blocks. Empty if nobody wants to know.
using ProgressFunction = std::function<void(const StreamTotals&)>;

/// The next `size` bytes, or as many as there are. They are read in pieces: a hostile size takes no more
/// memory than there are bytes behind it. Throws what `read` throws.
std::vector<std::uint8_t> read_up_to(const ReadFunction& read, std::size_t size);

/// Hands out `bytes`, which must outlive the function, as many as are asked for each time.
ReadFunction reader_of(std::span<const std::uint8_t> bytes);

/// Appends to `output`, which must outlive the function.
WriteFunction writer_to(std::vector<std::uint8_t>& output);

}  // namespace gsst::format
