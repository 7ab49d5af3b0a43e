// A codec of one's own for chunks, as one device function over the two streams: values of 64 bits, each
// stored as the zigzag varint of its difference from the one before. A warp decodes a chunk; all of its lanes
// call the function, which reads and writes nothing itself. docs/library.md says what else there is.
#include "examples/new_codec.hpp"

#include "common/format/codag/codag.hpp"
#include "common/stage/launch.hpp"
#include "stages/codag/chunks/codec_of_streams.cuh"

namespace {

using gsst::format::codag::Problem;

struct VarintDeltas {
  static constexpr std::uint32_t value_bytes = 8;

  template <typename Input, typename Output>
  __device__ static Problem decode(Input& input, Output& output) {
    std::uint64_t value = 0;
    while (output.left() != 0) {
      std::uint64_t code = 0;
      for (std::uint32_t shift = 0;; shift += 7) {
        if (input.is_at_end()) return shift == 0 ? Problem::too_few_values : Problem::cut_run;
        const std::uint32_t byte = input.fetch_byte();
        if (shift == 63 && byte > 1) return Problem::overlong_varint;
        code |= std::uint64_t{byte & 0x7f} << shift;
        if (byte < 0x80) break;
      }
      value += gsst::format::codag::zigzag_decoded(code);
      output.write_value(value);
    }
    return Problem::none;
  }
};

void enqueue(const gsst::codag::chunks::ChunkJob& job, gsst::stage::Stream stream) {
  gsst::codag::chunks::launch_codec<VarintDeltas>(job, stream);
}

const NewCodecOn new_codec(gsst::stage::this_executor, {.enqueue = enqueue});

}  // namespace
