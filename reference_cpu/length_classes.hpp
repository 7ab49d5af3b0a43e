#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "reference_cpu/dictionary.hpp"
#include "reference_cpu/sample_analysis.hpp"
#include "reference_cpu/train.hpp"
#include "reference_cpu/train_dictionary.hpp"

namespace gsst::reference {

/// A dictionary whose codes come in classes of equal size, all symbols of a class having one length: a code's
/// class says how long its symbol is.
struct LengthClasses {
  /// Codes of a class.
  std::size_t class_codes;
  /// Classes that are there for symbols, 16 at most; literals have classes of their own.
  std::size_t class_count;
};

/// A dictionary and its classes.
struct ClassedDictionary {
  Dictionary dictionary;
  /// Entry n: classes of symbols of length n + 1. Their sum is at most LengthClasses::class_count, and no
  /// length has more symbols than its classes have codes.
  std::array<std::size_t, format::max_symbol_length> classes{};
};

/// Trains dictionaries in length classes for `parse` from one dictionary without them. The same bytes, effort
/// and seed give the same dictionaries on every machine.
class ClassTraining {
public:
  /// Trains the dictionary without classes. `input` must stay where it is.
  ClassTraining(std::span<const std::uint8_t> input, CodeWidth width, const TrainingEffort& effort,
                Parse parse = Parse::optimal, std::uint64_t seed = default_training_seed);

  /// Gives each length the classes with which the symbols and the strings at hand save the most in all, whole
  /// classes being stored, then for as long as that pays replaces symbols: with 8-bit codes by others of
  /// their length, after which classes move from one length to another, with wider ones together with the
  /// classes. Symbols of `required`, as many as the classes have room for, are there whatever they save.
  ClassedDictionary train(const LengthClasses& classes, std::span<const Symbol> required = {}) const;

private:
  std::uint64_t input_bytes_;
  TrainingEffort effort_;
  Parse parse_;
  SampleAnalyser analyser_;
  Dictionary dictionary_;
  SampleAnalysis analysis_;
};

}  // namespace gsst::reference
