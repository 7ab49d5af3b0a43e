#include "cli/output_name.hpp"

#include <filesystem>

#include "cli/command_error.hpp"
#include "cli/file_descriptor.hpp"

namespace gsst::cli {
namespace {

constexpr const char* frame_suffix = ".gsst";
constexpr const char* fsst_suffix = ".fsst";

}  // namespace

std::string output_name(const Options& options, const std::string& input) {
  if (options.output) return *options.output;
  if (input == standard_stream_argument) return input;
  if (options.operation == Operation::compress) {
    return input + (options.format == format::BlockFormat::fsst ? fsst_suffix : frame_suffix);
  }
  // A file called just ".gsst" has no suffix in this sense, and no name would be left of it.
  const std::filesystem::path path(input);
  if (path.extension() != frame_suffix && path.extension() != fsst_suffix) {
    throw CommandError(ExitCode::usage, input + ": the name does not end in " + frame_suffix + " or " +
                                            fsst_suffix + ", so the output needs a name: add -o FILE or -c");
  }
  return input.substr(0, input.size() - path.extension().string().size());
}

bool has_fsst_suffix(const std::string& path) {
  return std::filesystem::path(path).extension() == fsst_suffix;
}

}  // namespace gsst::cli
