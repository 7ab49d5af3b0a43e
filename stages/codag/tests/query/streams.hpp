#pragma once

#include <cstdint>

/// For tests: the two streams by themselves, without a format. The kernels are in streams.cu.
namespace gsst::codag {

/// Who reads the bytes of an input stream.
enum class BytesOf { plain, shared_lines, register_lines };

/// One call of an output stream of bytes: a copy of `count` bytes that begin `offset` bytes earlier, or where
/// `offset` is 0 a run of `count` bytes from `first` on, each larger by `delta`; of one byte a value.
struct WrittenBytes {
  std::uint32_t offset;
  std::uint32_t count;
  std::uint32_t first;
  std::uint32_t delta;
};

/// All memory is the executor's. A warp does it; neither function waits.
struct Streams {
  /// Fetches numbers of the `count` widths at `widths` from `stream_bytes` bytes at `stream`, of each first
  /// half of its bits as a peek that must not matter, and stores them at `numbers`. A width of 255 ends a
  /// byte that has begun, and stores where the stream has come to.
  void (*fetch)(BytesOf bytes, const std::uint8_t* stream, std::uint32_t stream_bytes,
                const std::uint8_t* widths, std::uint32_t count, std::uint64_t* numbers);
  /// Makes the `count` calls at `calls`, for `bytes` bytes at `output` in all.
  void (*write)(const WrittenBytes* calls, std::uint32_t count, std::uint8_t* output, std::uint32_t bytes);
};

/// As a width: end of a byte.
inline constexpr std::uint8_t end_of_byte = 255;

}  // namespace gsst::codag
