#include "experiments/measure_cpu/codecs_command.hpp"

#include <iostream>
#include <iterator>
#include <memory>
#include <span>
#include <string>

#include "experiments/measure/shared/input_file.hpp"
#include "experiments/measure_cpu/codec.hpp"
#include "experiments/measure_cpu/peers.hpp"
#include "experiments/measure_cpu/verified_timing.hpp"

namespace gsst::experiments {
namespace {

/// Decoders that would take longer than this for all repetitions make fewer, but at least three: bzip2 needs
/// about 2.5 s for 100 MB.
constexpr double seconds_limit_per_codec = 5;
constexpr std::size_t minimum_repetitions = 3;

std::vector<Codec> available_codecs() {
  std::vector<Codec> codecs = reference_codecs();
  for (const Peer& peer : peers()) {
    if (peer.codecs == nullptr) {
      std::cerr << "missing codec: " << peer.name << "\n";
      continue;
    }
    std::vector<Codec> levels = peer.codecs();
    std::move(levels.begin(), levels.end(), std::back_inserter(codecs));
  }
  return codecs;
}

Row measure_codec(const Codec& codec, std::span<const std::uint8_t> input, std::size_t repetitions) {
  const std::vector<std::uint8_t> compressed = codec.compress(input);
  const auto decode = [&](std::span<std::uint8_t> output) { codec.decompress(compressed, output); };
  nlohmann::ordered_json parameters = codec.parameters;
  parameters["threads"] = 1;
  parameters["chunking"] = "whole input in one call";
  return {
      .stage = codec.stage,
      .variant = codec.variant,
      .parameters = std::move(parameters),
      .uncompressed_bytes = input.size(),
      .compressed_bytes = compressed.size(),
      .seconds = time_verified(
          decode, input,
          {.wanted = repetitions, .seconds_limit = seconds_limit_per_codec, .minimum = minimum_repetitions},
          codec.stage + " " + codec.variant)};
}

}  // namespace

std::vector<StudiedWork> codecs_works(const CodecsOptions& options, const Dataset& dataset) {
  const auto input = std::make_shared<const std::vector<std::uint8_t>>(read_input_file(options.input));
  std::vector<StudiedWork> works;
  for (const Codec& codec : available_codecs()) {
    works.push_back({.key = {{"stage", codec.stage}, {"variant", codec.variant}},
                     .measure = [=, repetitions = options.repetitions] {
                       return std::vector{row_to_json(measure_codec(codec, *input, repetitions), dataset)};
                     }});
  }
  return works;
}

}  // namespace gsst::experiments
