#include "cli/value_type.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "cli/command_error.hpp"
#include "cli/numpy_header.hpp"
#include "reference_cpu/codec.hpp"

namespace gsst::cli {
namespace {

constexpr const char* type_option = "type";

// The names of the types that the format has, each a letter and the bits of a value; empty where it has none.
std::span<const std::string_view> type_names(const Options& options) {
  const auto& of_codec = chosen_codec(options).traits().options;
  const auto option = std::ranges::find(of_codec, type_option, &reference::CodecOption::name);
  return option == of_codec.end() ? std::span<const std::string_view>{} : option->names;
}

// The name of the type that was chosen.
std::optional<std::string_view> type_name(const Options& options) {
  const auto chosen = options.codec_options.find(type_option);
  const std::span<const std::string_view> names = type_names(options);
  if (chosen == options.codec_options.end() || names.empty()) return std::nullopt;
  return names[chosen->second];
}

std::string joined(std::span<const std::string_view> names) {
  std::string text(names.front());
  for (const std::string_view name : names.subspan(1)) text += ", " + std::string(name);
  return text;
}

}  // namespace

Options with_type_of_array(Options options, InputFile& input) {
  const std::span<const std::string_view> names = type_names(options);
  if (names.empty() || options.codec_options.contains(type_option)) return options;
  const std::optional<std::string> of_array = numpy_type(input.peek(numpy_header_bytes));
  if (!of_array) return options;
  const auto found = std::ranges::find(names, value_type_name(*of_array).value_or(""));
  if (found == names.end()) {
    throw CommandError(ExitCode::invalid_input, input.name() + ": an array of numpy type '" + *of_array +
                                                    "'; name the --type to pack it as, one of " +
                                                    joined(names));
  }
  options.codec_options[type_option] = static_cast<std::uint64_t>(found - names.begin());
  return options;
}

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
