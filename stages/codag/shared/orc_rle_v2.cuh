#pragma once

#include <cstdint>

#include "common/format/codag/codag.hpp"
#include "common/format/codag/orc_rle_v2.hpp"
#include "common/format/codag/status.hpp"
#include "common/stage/launch.hpp"
#include "stages/codag/shared/coded_chunk.cuh"
#include "stages/codag/shared/varint.cuh"

// The sequential decoder of format orc_rle_v2 over the two streams (FORMAT.md, section 13.5).
namespace gsst::codag {
namespace {

class OrcRleV2 {
public:
  // A patched base of one value, with as many patches as there can be.
  static constexpr std::uint32_t most_symbol_bytes =
      format::codag::patched_header_bytes + format::codag::max_base_bytes +
      (1 + format::codag::most_patches) * (format::codag::widest / 8);

  __device__ static CodedChunk chunk_of(const stage::BlockOnDevice& block) { return integer_chunk(block); }

  __device__ explicit OrcRleV2(const CodedChunk& chunk) : is_signed_(chunk.is_signed) {}

  // Decodes one symbol and calls one function of `output`. To be called while the output has room. A problem
  // is that of the run at run(). A symbol is a run of equal differences, or a packed value.
  template <typename Input, typename Output>
  __device__ format::codag::Problem step(Input& input, Output& output) {
    using namespace format::codag;
    if (left_ == 0) {
      bool is_written = false;
      const Problem problem = start_run(input, output, is_written);
      if (problem != Problem::none || is_written) return problem;
    }
    std::uint64_t number = input.fetch_bits(width_);
    --left_;
    if (kind_ == RunKind::direct) {
      value_ = decoded(number);
    } else if (kind_ == RunKind::delta) {
      value_ += falls_ ? std::uint64_t{0} - number : number;
    } else {
      if (has_patch_ && left_ == values_after_patch_) {
        number |= patch_ << width_;
        if (!find_patch(input)) return Problem::patch_out_of_range;
      }
      value_ = base_ + number;
    }
    if (left_ == 0) end_run(input);
    output.write_value(value_);
    return Problem::none;
  }

  // Where the last symbol's run begins in the stream.
  __device__ std::uint32_t run() const { return run_; }

private:
  using Problem = format::codag::Problem;
  using RunKind = format::codag::RunKind;

  __device__ std::uint64_t decoded(std::uint64_t stored) const {
    return is_signed_ ? format::codag::zigzag_decoded(stored) : stored;
  }

  // Reads what precedes a run's packed numbers. Runs that have none, and the first two values of differences,
  // are written.
  template <typename Input, typename Output>
  __device__ Problem start_run(Input& input, Output& output, bool& is_written) {
    using namespace format::codag;
    run_ = input.position();
    if (input.is_at_end()) return Problem::too_few_values;
    const std::uint32_t first = input.fetch_byte();
    kind_ = static_cast<RunKind>(first >> run_kind_shift);
    is_written = kind_ == RunKind::short_repeat || kind_ == RunKind::delta;
    if (kind_ == RunKind::short_repeat) return repeat_value(first, input, output);
    const std::uint32_t code = first >> 1 & 31;
    const std::uint32_t count = ((first & 1) << 8 | input.fetch_byte()) + 1;
    width_ = width_of_code(code);
    if (kind_ == RunKind::patched_base) return start_patched(count, input, output);
    if (input.is_past_end()) return Problem::cut_run;
    if (count > output.left()) return Problem::too_many_values;
    if (kind_ == RunKind::delta) return start_differences(count, code != 0, input, output);
    left_ = count;
    return packed_bytes(count, width_) > input.left() ? Problem::cut_run : Problem::none;
  }

  template <typename Input, typename Output>
  __device__ Problem repeat_value(std::uint32_t first, Input& input, Output& output) {
    const std::uint32_t count = (first & 7) + format::codag::fewest_repeats;
    if (count > output.left()) return Problem::too_many_values;
    const std::uint64_t stored = input.fetch_bits(8 * ((first >> 3 & 7) + 1));
    if (input.is_past_end()) return Problem::cut_run;
    output.write_run(decoded(stored), count, 0);
    return Problem::none;
  }

  template <typename Input, typename Output>
  __device__ Problem start_differences(std::uint32_t count, bool is_packed, Input& input, Output& output) {
    std::uint64_t difference = 0;
    if (!fetch_number(input, is_signed_, value_)) return Problem::overlong_varint;
    // Cut ones are told before overlong ones that would follow.
    if (input.is_past_end()) return Problem::cut_run;
    if (!fetch_number(input, true, difference)) return Problem::overlong_varint;
    if (input.is_past_end()) return Problem::cut_run;
    if (!is_packed || count <= 2) {
      output.write_run(value_, count, difference);
      return Problem::none;
    }
    if (format::codag::packed_bytes(count - 2, width_) > input.left()) return Problem::cut_run;
    output.write_run(value_, 2, difference);
    value_ += difference;
    falls_ = difference >> 63 != 0;
    left_ = count - 2;
    return Problem::none;
  }

  template <typename Input, typename Output>
  __device__ Problem start_patched(std::uint32_t count, Input& input, Output& output) {
    using namespace format::codag;
    const std::uint32_t third = input.fetch_byte();
    const std::uint32_t fourth = input.fetch_byte();
    if (input.is_past_end()) return Problem::cut_run;
    if (count > output.left()) return Problem::too_many_values;
    const std::uint32_t base_bits = 8 * ((third >> 5) + 1);
    const std::uint32_t gap_width = (fourth >> 5) + 1;
    patch_width_ = width_of_code(third & 31);
    if (width_ == widest || gap_width + patch_width_ > widest) return Problem::width_out_of_range;
    entry_width_ = width_of_code(code_of_bits(gap_width + patch_width_));
    entries_left_ = fourth & 31;
    const std::uint64_t stored_base = input.fetch_bits(base_bits);
    const std::uint64_t sign = std::uint64_t{1} << (base_bits - 1);
    base_ = (stored_base & sign) != 0 ? std::uint64_t{0} - (stored_base ^ sign) : stored_base;
    const std::uint32_t values_bytes = packed_bytes(count, width_);
    entries_ = input.position() + values_bytes;
    entries_bytes_ = packed_bytes(entries_left_, entry_width_);
    if (input.is_past_end() || values_bytes + entries_bytes_ > input.left()) return Problem::cut_run;
    left_ = count;
    has_patch_ = false;
    entry_bit_ = 0;
    // Where the first one's place counts from.
    values_after_patch_ = count - 1;
    return find_patch(input) ? Problem::none : Problem::patch_out_of_range;
  }

  // Goes on to the next patch, if there is one; false if its place is wrong. The patches follow all values of
  // the run, which have not been read: they are looked up far ahead in the stream.
  template <typename Input>
  __device__ bool find_patch(Input& input) {
    const bool is_first = !has_patch_;
    has_patch_ = entries_left_ != 0;
    if (!has_patch_) return true;
    const std::uint64_t entry = input.far_bits(entries_, entry_bit_, entry_width_);
    --entries_left_;
    entry_bit_ += entry_width_;
    // Not by all 64 bits: a gap has one at least.
    const std::uint64_t gap = entry >> patch_width_;
    patch_ = entry & ((std::uint64_t{1} << patch_width_) - 1);
    if ((gap == 0 && !is_first) || gap > values_after_patch_) return false;
    values_after_patch_ -= static_cast<std::uint32_t>(gap);
    return true;
  }

  template <typename Input>
  __device__ void end_run(Input& input) {
    input.end_byte();
    if (kind_ == RunKind::patched_base) input.skip_bytes(entries_bytes_);
  }

  bool is_signed_;
  RunKind kind_ = RunKind::direct;
  std::uint32_t run_ = 0;
  // Packed numbers of the run that are still to be read, and their width.
  std::uint32_t left_ = 0;
  std::uint32_t width_ = 0;
  // The last value, and whether differences are subtracted.
  std::uint64_t value_ = 0;
  bool falls_ = false;
  // Of a patched base: where patches begin, how many bytes and of them bits were read, the next patch, and
  // how many values follow the one that it is of.
  std::uint64_t base_ = 0;
  std::uint32_t entries_ = 0;
  std::uint32_t entries_bytes_ = 0;
  std::uint32_t entries_left_ = 0;
  std::uint32_t entry_bit_ = 0;
  std::uint32_t entry_width_ = 0;
  std::uint32_t patch_width_ = 0;
  std::uint64_t patch_ = 0;
  std::uint32_t values_after_patch_ = 0;
  bool has_patch_ = false;
};

}  // namespace
}  // namespace gsst::codag
