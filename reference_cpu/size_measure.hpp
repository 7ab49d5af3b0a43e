#pragma once

#include <cstdint>

#include "reference_cpu/dictionary.hpp"

namespace gsst::reference {

/// What an input takes when it is stored with a dictionary, by the codes of a sample of it. The unit is a bit
/// of the input for each byte of the sample, which makes all sizes whole numbers.
class SizeMeasure {
public:
  /// Bytes of the input and of the sample.
  SizeMeasure(CodeWidth width, std::uint64_t input, std::uint64_t sample)
      : code_bits_(width.bits), input_bytes_(input), sample_bytes_(sample) {}

  /// What the input takes of which the sample takes `codes`.
  std::int64_t of_codes(std::uint64_t codes) const {
    return static_cast<std::int64_t>(codes * code_bits_ * input_bytes_);
  }
  /// What `bytes` of the stored dictionary take.
  std::int64_t of_stored(std::uint64_t bytes) const {
    return static_cast<std::int64_t>(8 * bytes * sample_bytes_);
  }
  /// What a symbol takes in the stored dictionary.
  std::int64_t of_symbol(const Symbol& symbol) const { return of_stored(symbol.length); }
  /// Both together.
  std::int64_t of(const Dictionary& dictionary, std::uint64_t codes) const {
    std::int64_t size = of_codes(codes);
    for (const Symbol& symbol : dictionary.symbols) size += of_symbol(symbol);
    return size;
  }
  /// What is saved by a symbol that makes the sample's codes `codes` fewer; negative if it does not pay.
  std::int64_t saved(std::uint64_t codes, const Symbol& symbol) const {
    return of_codes(codes) - of_symbol(symbol);
  }
  /// The same for a symbol that occurs `occurrences` times in the sample, 1 or more, and was chosen because
  /// it does: outside of the sample each of n occurrences is expected as often as the n - 1 others say.
  std::int64_t expected_saved(std::uint64_t codes, std::uint64_t occurrences, const Symbol& symbol) const {
    const std::uint64_t expected_bytes = input_bytes_ - (input_bytes_ - sample_bytes_) / occurrences;
    return static_cast<std::int64_t>(codes * code_bits_ * expected_bytes) - of_symbol(symbol);
  }

private:
  std::uint64_t code_bits_;
  std::uint64_t input_bytes_;
  std::uint64_t sample_bytes_;
};

}  // namespace gsst::reference
