#include "stages/codag/chunks/copying_codec.hpp"

#include <cstdint>

#include "common/format/codag/status.hpp"
#include "common/stage/launch.hpp"
// After launch.hpp, which gives the kernel CUDA's words where the compiler has none.
#include "stages/codag/chunks/codec_of_streams.cuh"

namespace gsst::codag::chunks {
namespace {

// Leaves to its caller to find that bytes or values are missing.
struct BytesAndCopies {
  static constexpr std::uint32_t value_bytes = 1;

  template <typename Input, typename Output>
  __device__ static format::codag::Problem decode(Input& input, Output& output) {
    using format::codag::Problem;
    std::uint32_t written = 0;
    while (output.left() != 0 && !input.is_at_end()) {
      const std::uint32_t first = input.fetch_byte();
      if (first < 128) {
        output.write_value(first);
        ++written;
        continue;
      }
      const std::uint32_t count = first - 127;
      const std::uint32_t offset = input.fetch_byte();
      if (input.is_past_end()) return Problem::none;
      if (count > output.left()) return Problem::too_many_values;
      if (offset == 0 || offset > written) return Problem::patch_out_of_range;
      output.copy(offset, count);
      written += count;
    }
    return Problem::none;
  }
};

void enqueue_copying_codec(const ChunkJob& job, stage::Stream stream) {
  launch_codec<BytesAndCopies>(job, stream);
}

const CopyingCodecOn copying_codec(stage::this_executor, {.enqueue = enqueue_copying_codec});

}  // namespace
}  // namespace gsst::codag::chunks
