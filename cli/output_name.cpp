#include "cli/output_name.hpp"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "cli/command_error.hpp"
#include "cli/file_descriptor.hpp"
#include "cli/list_text.hpp"

namespace gsst::cli {
namespace {

// Each once, that of the default format first.
std::vector<std::string> all_suffixes() {
  std::vector<std::string> suffixes = {std::string(default_codec().traits().suffix)};
  for (const reference::Codec* const codec : reference::registered_codecs()) {
    const std::string suffix(codec->traits().suffix);
    if (std::ranges::find(suffixes, suffix) == suffixes.end()) suffixes.push_back(suffix);
  }
  return suffixes;
}

}  // namespace

std::string output_name(const Options& options, const std::string& input) {
  if (options.output) return *options.output;
  if (input == standard_stream_argument) return input;
  if (options.operation == Operation::compress) {
    return input + std::string(chosen_codec(options).traits().suffix);
  }
  // A file called just ".gsst" has no suffix in this sense, and no name would be left of it.
  const std::filesystem::path path(input);
  const std::vector<std::string> suffixes = all_suffixes();
  if (std::ranges::find(suffixes, path.extension().string()) == suffixes.end()) {
    throw CommandError(ExitCode::usage, input + ": the name does not end in " + list_text(suffixes, "or") +
                                            ", so the output needs a name: add -o FILE or -c");
  }
  return input.substr(0, input.size() - path.extension().string().size());
}

bool has_suffix(const std::string& path, const reference::Codec& codec) {
  return std::filesystem::path(path).extension() == codec.traits().suffix;
}

}  // namespace gsst::cli
