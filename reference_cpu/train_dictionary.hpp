#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "reference_cpu/dictionary.hpp"
#include "reference_cpu/sample_analysis.hpp"
#include "reference_cpu/train.hpp"

namespace gsst::reference {

/// How much work the training of a dictionary is.
struct TrainingEffort {
  /// Bytes that are looked at.
  std::size_t sample_bytes;
  /// A dictionary grows to its largest size in this many steps, then a quarter of these beyond it and back.
  unsigned growth_steps;
  /// Most rounds in which symbols are replaced.
  unsigned replacement_rounds;
};

/// Trains a dictionary. It grows from nothing by the strings that save the most, beyond its size, loses the
/// symbols that are missed the least, and then has its worst symbols replaced for as long as that pays. What
/// the symbols take when stored with the whole `input` counts. It is trained for `parse`. The same bytes,
/// effort and seed give the same dictionary on every machine.
Dictionary train_dictionary(std::span<const std::uint8_t> input, CodeWidth width,
                            const TrainingEffort& effort, Parse parse = Parse::optimal,
                            std::uint64_t seed = default_training_seed);

/// The same on the sample of `analyser`, which is one of an input of `input_bytes`.
Dictionary train_dictionary(SampleAnalyser& analyser, std::uint64_t input_bytes, CodeWidth width,
                            const TrainingEffort& effort, Parse parse = Parse::optimal);

}  // namespace gsst::reference
