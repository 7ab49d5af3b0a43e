#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "experiments/measure/shared/statistics.hpp"

namespace gsst::experiments {

/// Decodes into `output`, which has exactly the decoded size.
using DecodeFunction = std::function<void(std::span<std::uint8_t> output)>;

/// How often a decoder is timed.
struct Repetitions {
  /// At least 1.
  std::size_t wanted;
  /// Fewer are made where `wanted` would take longer than this by the time of the first decoding.
  double seconds_limit;
  /// Repetitions that the limit does not take away.
  std::size_t minimum;

  /// Repetitions for a decoder whose first decoding took `first_seconds`.
  std::size_t count(double first_seconds) const;
};

/// Makes every byte of `output` differ from `expected`, so that a decoder that leaves one unwritten is found.
void poison(std::span<std::uint8_t> output, std::span<const std::uint8_t> expected);

/// Throws MismatchError naming `what` and the first byte where the spans, of equal size, differ.
void verify(std::span<const std::uint8_t> output, std::span<const std::uint8_t> expected,
            const std::string& what);

/// Times `decode` into memory that was written before: poisons the output, decodes once, verifies, poisons
/// again, decodes the repetitions, each timed on its own, and verifies what the last one left. `what` names
/// the decoder in messages. Throws MismatchError, and what `decode` throws.
SecondsSummary time_verified(const DecodeFunction& decode, std::span<const std::uint8_t> expected,
                             const Repetitions& repetitions, const std::string& what);

}  // namespace gsst::experiments
