#include "experiments/measure_cpu/levels_command.hpp"

#include <iostream>

#include "experiments/measure/shared/input_file.hpp"
#include "experiments/measure_cpu/level_row.hpp"
#include "experiments/measure_cpu/levels_of_blocks.hpp"
#include "experiments/measure_cpu/levels_of_tiles.hpp"

namespace gsst::experiments {

std::vector<nlohmann::ordered_json> measure_levels(const LevelsOptions& options, const Dataset& dataset) {
  const std::vector<std::uint8_t> input = read_input_file(options.input);
  std::vector<nlohmann::ordered_json> rows;
  const auto add = [&](const LevelRow& row) {
    std::cerr << describe(row) << "\n";
    rows.push_back(level_row_to_json(row, dataset));
  };
  for (const unsigned level : options.levels) add(measure_level_of_blocks(input, level, options.repetitions));
  for (const unsigned level : options.tile_levels)
    for (const std::uint32_t code_bits : options.code_bits)
      for (const auto parse : {reference::Parse::greedy, reference::Parse::optimal})
        add(measure_level_of_tiles(input, level, code_bits, parse, options.repetitions));
  return rows;
}

}  // namespace gsst::experiments
