#include "experiments/measure_cpu/levels_command.hpp"

#include <functional>
#include <memory>

#include "experiments/measure/shared/input_file.hpp"
#include "experiments/measure_cpu/level_row.hpp"
#include "experiments/measure_cpu/levels_of_blocks.hpp"
#include "experiments/measure_cpu/levels_of_tiles.hpp"

namespace gsst::experiments {

std::vector<StudiedWork> levels_works(const LevelsOptions& options, const Dataset& dataset) {
  const auto input = std::make_shared<const std::vector<std::uint8_t>>(read_input_file(options.input));
  std::vector<StudiedWork> works;
  const auto add = [&](const nlohmann::ordered_json& key, const std::function<LevelRow()>& measure) {
    works.push_back(
        {.key = key, .measure = [=] { return std::vector{level_row_to_json(measure(), dataset)}; }});
  };
  const std::size_t repetitions = options.repetitions;
  for (const unsigned level : options.levels) {
    add({{"level", level}}, [=] { return measure_level_of_blocks(*input, level, repetitions); });
  }
  for (const unsigned level : options.tile_levels) {
    for (const std::uint32_t code_bits : options.code_bits) {
      for (const auto parse : {reference::Parse::greedy, reference::Parse::optimal}) {
        add({{"tile_level", level}, {"code_bits", code_bits}, {"parse", parse}},
            [=] { return measure_level_of_tiles(*input, level, code_bits, parse, repetitions); });
      }
    }
  }
  return works;
}

}  // namespace gsst::experiments
