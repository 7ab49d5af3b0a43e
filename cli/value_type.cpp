#include "cli/value_type.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include "cli/command_error.hpp"
#include "reference_cpu/codec.hpp"

namespace gsst::cli {
namespace {

// The name of the type that was chosen: a letter and the bits of a value.
std::optional<std::string_view> type_name(const Options& options) {
  const auto chosen = options.codec_options.find("type");
  if (chosen == options.codec_options.end()) return std::nullopt;
  const auto& of_codec = chosen_codec(options).traits().options;
  const auto option = std::ranges::find(of_codec, "type", &reference::CodecOption::name);
  if (option == of_codec.end()) return std::nullopt;
  return option->names[chosen->second];
}

}  // namespace

std::uint64_t bytes_of_value(const Options& options) {
  const std::optional<std::string_view> name = type_name(options);
  return name ? std::stoul(std::string(name->substr(1))) / 8 : 1;
}

void check_whole_values(const Options& options, const std::string& what, std::uint64_t bytes) {
  const std::uint64_t value = bytes_of_value(options);
  if (bytes % value == 0) return;
  throw CommandError(ExitCode::usage, what + ": " + std::to_string(bytes) +
                                          " bytes are no whole values of --type " +
                                          std::string(*type_name(options)) + ", which have " +
                                          std::to_string(value) + " each");
}

}  // namespace gsst::cli
