#pragma once

#include <cstdint>

#include "common/format/codag/codag.hpp"
#include "common/format/codag/status.hpp"
#include "common/stage/launch.hpp"
#include "stages/codag/shared/coded_chunk.cuh"

// The sequential decoder over the two streams of the formats that have runs of values and lists of others
// (FORMAT.md, section 13).
namespace gsst::codag {
namespace {

// `Values` has chunk_of() as below, whether a run has a difference, the most bytes of a value, and fetch(),
// which gets one and returns false where it has more than 64 bits.
template <typename Values>
class RunsAndLists {
public:
  // Of a run: first byte, perhaps a difference, and a value.
  static constexpr std::uint32_t most_symbol_bytes = 2 + Values::most_bytes;

  __device__ static CodedChunk chunk_of(const stage::BlockOnDevice& block) { return Values::chunk_of(block); }

  __device__ explicit RunsAndLists(const CodedChunk& chunk) : is_signed_(chunk.is_signed) {}

  // Decodes one symbol, which is a run or a value of a list, and calls one function of `output`. To be called
  // while the output has room. A problem is that of the run at run(), and nothing was written.
  template <typename Input, typename Output>
  __device__ format::codag::Problem step(Input& input, Output& output) {
    using namespace format::codag;
    bool is_run = false;
    std::uint32_t count = 0;
    std::uint64_t delta = 0;
    if (list_left_ == 0) {
      run_ = input.position();
      if (input.is_at_end()) return Problem::too_few_values;
      const std::uint32_t first = input.fetch_byte();
      is_run = first < first_list_byte;
      count = is_run ? first + shortest_run : 256 - first;
      if (count > output.left()) return Problem::too_many_values;
      if (!is_run) {
        list_left_ = count;
      } else if constexpr (Values::has_differences) {
        delta = static_cast<std::uint64_t>(static_cast<std::int8_t>(input.fetch_byte()));
      }
    }
    std::uint64_t value = 0;
    if (!Values::fetch(input, is_signed_, value)) return Problem::overlong_varint;
    if (input.is_past_end()) return Problem::cut_run;
    if (is_run) {
      output.write_run(value, count, delta);
    } else {
      --list_left_;
      output.write_value(value);
    }
    return Problem::none;
  }

  // Where the last symbol's run or list begins in the stream.
  __device__ std::uint32_t run() const { return run_; }

private:
  bool is_signed_;
  std::uint32_t list_left_ = 0;
  std::uint32_t run_ = 0;
};

}  // namespace
}  // namespace gsst::codag
