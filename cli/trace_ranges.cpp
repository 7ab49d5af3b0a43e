// The program of `make trace` for stages that decode byte ranges, which the command does not run:
//   trace_<series>_<stage>_ranges STAGE COMPRESSED TEXT TRACE
// decodes ranges of COMPRESSED, which TEXT was compressed to, compares them and writes TRACE.
#include <algorithm>
#include <cstdint>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "cli/trace_file.hpp"
#include "common/simt/access_trace.hpp"
#include "common/stage/ranges.hpp"
#include "common/stage/registry.hpp"
#include "common/stage/run_ranges.hpp"

namespace gsst::cli {
namespace {

using Bytes = std::span<const std::uint8_t>;

std::vector<std::uint8_t> content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<std::uint8_t> content{std::istreambuf_iterator<char>(file), {}};
  if (!file) throw std::runtime_error(path + ": cannot be read");
  return content;
}

// Ranges as random access has them: short, and apart.
std::vector<stage::ByteRange> ranges_of(std::uint64_t text_bytes) {
  constexpr std::uint64_t range_bytes = 100;
  constexpr std::uint64_t distance = 997;
  std::vector<stage::ByteRange> ranges;
  for (std::uint64_t offset = 0; offset + range_bytes <= text_bytes; offset += distance) {
    ranges.push_back({.offset = offset, .bytes = range_bytes, .output_offset = range_bytes * ranges.size()});
  }
  return ranges;
}

void compare(Bytes output, Bytes text, std::span<const stage::ByteRange> ranges) {
  for (const stage::ByteRange& range : ranges) {
    if (!std::ranges::equal(output.subspan(range.output_offset, range.bytes),
                            text.subspan(range.offset, range.bytes))) {
      throw std::runtime_error("the range at " + std::to_string(range.offset) +
                               " was decoded to other bytes than were compressed");
    }
  }
}

void trace_ranges(const std::string& id, const std::string& compressed, const std::string& text,
                  const std::string& trace_path) {
  const stage::RegisteredStage* const stage = stage::find_stage(id, stage::Operation::ranges);
  if (stage == nullptr) throw std::runtime_error("no stage '" + id + "' decodes ranges");
  const std::vector<std::uint8_t> frame = content_of(compressed);
  const std::vector<std::uint8_t> expected = content_of(text);
  const std::vector<stage::ByteRange> ranges = ranges_of(expected.size());
  if (ranges.empty()) throw std::runtime_error(text + ": too short for a range");
  const std::uint64_t output_bytes = ranges.back().output_offset + ranges.back().bytes;
  const simt::AccessTrace trace;
  const stage::RangesResult result =
      stage::run_ranges(*stage, stage::Executor::simt, frame, ranges, output_bytes);
  compare(result.output(), expected, ranges);
  write_trace(trace, trace_path);
}

}  // namespace
}  // namespace gsst::cli

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() != 4) {
    std::cerr << "usage: " << argv[0] << " STAGE COMPRESSED TEXT TRACE" << std::endl;
    return 2;
  }
  try {
    gsst::cli::trace_ranges(arguments[0], arguments[1], arguments[2], arguments[3]);
    return 0;
  } catch (const std::exception& error) {
    std::cerr << argv[0] << ": " << error.what() << std::endl;
    return 1;
  }
}
