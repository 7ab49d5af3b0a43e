#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "common/format/gsst/symbol_table.hpp"
#include "reference_cpu/dictionary.hpp"
#include "reference_cpu/table_encoder.hpp"
#include "reference_cpu/train.hpp"
#include "reference_cpu/train_dictionary.hpp"

/// How much work compression is: more of it makes smaller files. A level shows in a file's bytes and not in
/// its format: every decoder reads them all.
namespace gsst::reference {

inline constexpr unsigned min_level = 1;
inline constexpr unsigned max_level = 9;
inline constexpr unsigned default_level = 1;
/// The first one that trains a dictionary for the optimal parse.
inline constexpr unsigned first_dictionary_level = 3;

/// Throws std::invalid_argument unless `level` is min_level to max_level.
void check_level(unsigned level);

/// Level 1 is the thesis's: train_symbol_table() and the greedy parse. Level 2 parses optimally with the same
/// table. The levels from 3 on train a dictionary for that parse, each with more work. Like all functions
/// here this one throws std::invalid_argument for a level that is none.
Parse level_parse(unsigned level);

/// Bytes that the training of `level` looks at, at most, with codes of `width`.
std::size_t level_sample_bytes(unsigned level, CodeWidth width = {});

/// The work that a level from first_dictionary_level on is for codes of `width` that `parse` chooses.
TrainingEffort level_effort(unsigned level, CodeWidth width, Parse parse);

/// Training for an input that is encoded as a whole.
inline constexpr std::size_t whole_input = ~std::size_t{0};

/// The table that `level` gives `input`, of which every `part_bytes` are encoded by themselves. A level also
/// makes what the levels below it make and takes the best by what codes and stored table take, so that more
/// work is never in vain: up to 4 MiB of input are compared as a whole, of more a sample. The same bytes,
/// level and seed give the same table on every machine.
format::SymbolTable train_for_level(std::span<const std::uint8_t> input, unsigned level,
                                    std::size_t part_bytes = whole_input,
                                    std::uint64_t seed = default_training_seed);

/// The same for codes of any width; for levels 1 and 2, whose trainer knows 8-bit codes alone, only with 8
/// bits.
Dictionary train_dictionary_for_level(std::span<const std::uint8_t> input, CodeWidth width, unsigned level,
                                      std::size_t part_bytes = whole_input,
                                      std::uint64_t seed = default_training_seed);

}  // namespace gsst::reference
