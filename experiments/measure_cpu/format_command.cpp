#include "experiments/measure_cpu/format_command.hpp"

#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>

#include "common/format/formats.hpp"
#include "experiments/measure/shared/error.hpp"
#include "experiments/measure/shared/input_file.hpp"
#include "experiments/measure_cpu/verified_timing.hpp"
#include "reference_cpu/codec.hpp"

namespace gsst::experiments {
namespace {

/// Decoders that would take longer than this for all repetitions make fewer, but at least three.
constexpr double seconds_limit_per_point = 5;
constexpr std::size_t least_repetitions = 3;

const reference::Codec& codec_named(const std::string& name) {
  const std::optional<format::BlockFormat> found = format::block_format_from_name(name);
  if (!found) throw InputError("--format: there is no format '" + name + "'");
  return reference::codec_of(*found);
}

void check_option(const reference::Codec& codec, const OptionValues& wanted) {
  const std::span<const reference::CodecOption> options = codec.traits().options;
  const auto option = std::ranges::find(options, wanted.name, &reference::CodecOption::name);
  if (option == options.end()) {
    throw InputError("--option: format " + std::string(codec.name()) + " has no option '" + wanted.name +
                     "'");
  }
  for (const std::uint64_t value : wanted.values) {
    const bool is_listed = std::ranges::find(option->values, value) != option->values.end();
    const bool is_in_range = value >= option->least && value <= option->most;
    const bool is_one = option->names.empty() ? (option->values.empty() ? is_in_range : is_listed)
                                              : value < option->names.size();
    if (!is_one) {
      throw InputError("--option: " + wanted.name + " cannot be " + std::to_string(value));
    }
  }
}

/// Every combination of the values.
std::vector<reference::CodecOptions> combinations(std::span<const OptionValues> options) {
  std::vector<reference::CodecOptions> all = {{}};
  for (const OptionValues& option : options) {
    std::vector<reference::CodecOptions> longer;
    for (const reference::CodecOptions& chosen : all) {
      for (const std::uint64_t value : option.values) {
        longer.push_back(chosen);
        longer.back()[option.name] = value;
      }
    }
    all = std::move(longer);
  }
  return all;
}

void decode_into(const reference::Codec& codec, std::span<const std::uint8_t> file,
                 std::span<std::uint8_t> output) {
  std::size_t written = 0;
  const auto write = [&](std::span<const std::uint8_t> bytes) {
    if (bytes.size() > output.size() - written) throw MismatchError("more bytes were decoded than encoded");
    std::ranges::copy(bytes, output.begin() + static_cast<std::ptrdiff_t>(written));
    written += bytes.size();
  };
  codec.decode(format::reader_of(file), write, 1, {});
}

nlohmann::ordered_json parameters_of(const reference::EncodeSettings& settings) {
  nlohmann::ordered_json parameters = {{"block_bytes", settings.block_bytes}, {"threads", 1}};
  for (const auto& [name, value] : settings.options) {
    std::string column = name;
    std::ranges::replace(column, '-', '_');
    parameters[column] = value;
  }
  return parameters;
}

void check_settings(const reference::Codec& codec, const reference::EncodeSettings& settings) {
  try {
    codec.check(settings);
  } catch (const std::invalid_argument& error) {
    throw InputError(error.what());
  }
}

Row measure_file(const reference::Codec& codec, std::span<const std::uint8_t> input,
                 const reference::EncodeSettings& settings, std::size_t repetitions) {
  const nlohmann::ordered_json parameters = parameters_of(settings);
  const std::vector<std::uint8_t> file = reference::encode_file(codec, input, settings);
  return {.stage = "reference_cpu/codec",
          .variant = std::string(codec.name()),
          .parameters = parameters,
          .uncompressed_bytes = input.size(),
          .compressed_bytes = file.size(),
          .seconds = time_verified(
              [&](std::span<std::uint8_t> output) { decode_into(codec, file, output); }, input,
              {.wanted = repetitions, .seconds_limit = seconds_limit_per_point, .minimum = least_repetitions},
              "format " + std::string(codec.name()) + " " + parameters.dump())};
}

}  // namespace

OptionValues parse_option_values(const std::string& text) {
  const std::size_t sign = text.find('=');
  if (sign == 0 || sign == std::string::npos) throw InputError("--option: '" + text + "' is not NAME=1,2,3");
  OptionValues option{.name = text.substr(0, sign), .values = {}};
  const char* const end = text.data() + text.size();
  const char* next = text.data() + sign;
  do {
    std::uint64_t value = 0;
    const auto [stop, problem] = std::from_chars(next + 1, end, value);
    if (problem != std::errc() || (stop != end && *stop != ',')) {
      throw InputError("--option: '" + text + "' is not NAME=1,2,3");
    }
    option.values.push_back(value);
    next = stop;
  } while (next != end);
  return option;
}

std::vector<StudiedWork> format_works(const FormatOptions& options, const Dataset& dataset) {
  const reference::Codec& codec = codec_named(options.format);
  for (const OptionValues& option : options.options) check_option(codec, option);
  const auto input = std::make_shared<const std::vector<std::uint8_t>>(read_input_file(options.input));
  std::vector<StudiedWork> works;
  for (const std::uint64_t block_bytes : options.block_bytes) {
    if (block_bytes > codec.traits().max_block_bytes) {
      throw InputError("--block-bytes " + std::to_string(block_bytes) + ": format " + options.format +
                       " has blocks of at most " + std::to_string(codec.traits().max_block_bytes) + " bytes");
    }
    for (const reference::CodecOptions& chosen : combinations(options.options)) {
      const reference::EncodeSettings settings = {
          .block_bytes = block_bytes, .options = chosen, .threads = 1};
      check_settings(codec, settings);
      works.push_back({.key = {{"format", options.format}, {"parameters", parameters_of(settings)}},
                       .measure = [&codec, input, settings, dataset, repetitions = options.repetitions] {
                         return std::vector{
                             row_to_json(measure_file(codec, *input, settings, repetitions), dataset)};
                       }});
    }
  }
  return works;
}

}  // namespace gsst::experiments
