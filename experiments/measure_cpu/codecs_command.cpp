#include "experiments/measure_cpu/codecs_command.hpp"

#include <iostream>
#include <iterator>
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
  const std::string name = codec.stage + " " + codec.variant;
  std::cerr << name << "\n";
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
          name)};
}

}  // namespace

std::vector<Row> measure_codecs(const CodecsOptions& options) {
  const std::vector<std::uint8_t> input = read_input_file(options.input);
  std::vector<Row> rows;
  for (const Codec& codec : available_codecs())
    rows.push_back(measure_codec(codec, input, options.repetitions));
  return rows;
}

}  // namespace gsst::experiments
