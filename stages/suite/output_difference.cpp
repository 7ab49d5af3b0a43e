#include "stages/suite/output_difference.hpp"

#include <algorithm>
#include <cstdio>
#include <string>

#include "common/frame/frame.hpp"
#include "common/stage/block_statuses.hpp"

namespace gsst::stage {
namespace {

std::string hexadecimal(std::uint8_t byte) {
  char text[8];
  std::snprintf(text, sizeof text, "0x%02x", unsigned{byte});
  return text;
}

// "block 2, byte 17", or "byte 17" where no block of the frame has it.
std::string place_of(std::span<const std::uint8_t> frame, std::size_t byte) {
  const format::FrameView view = format::parse_frame(frame);
  for (std::size_t block = 0; block < view.index.entries.size(); ++block) {
    const format::IndexEntry& entry = view.index.entries[block];
    if (byte - entry.uncompressed_offset < entry.record.uncompressed_bytes) {
      return "block " + std::to_string(block) + ", byte " + std::to_string(byte - entry.uncompressed_offset);
    }
  }
  return "byte " + std::to_string(byte);
}

testing::AssertionResult wrote_outside(std::size_t bytes, const char* side) {
  return testing::AssertionFailure() << "the stage wrote " << bytes << (bytes == 1 ? " byte " : " bytes ")
                                     << side << " its output";
}

}  // namespace

testing::AssertionResult is_output(std::span<const std::uint8_t> frame,
                                   std::span<const std::uint8_t> expected,
                                   std::span<const std::uint8_t> found) {
  if (expected.size() != found.size()) {
    return testing::AssertionFailure()
           << "expected " << expected.size() << " bytes of output, found " << found.size();
  }
  const auto [wanted, given] = std::ranges::mismatch(expected, found);
  if (wanted == expected.end()) return testing::AssertionSuccess();
  const auto byte = static_cast<std::size_t>(wanted - expected.begin());
  std::size_t wrong = 0;
  for (std::size_t i = byte; i < found.size(); ++i) wrong += expected[i] != found[i] ? 1 : 0;
  return testing::AssertionFailure() << "wrong output: " << place_of(frame, byte) << ": expected "
                                     << hexadecimal(*wanted) << ", found " << hexadecimal(*given) << " ("
                                     << wrong << " of " << found.size() << " bytes are wrong)";
}

std::string status_text(format::BlockFormat format, std::uint32_t status) {
  if (status == 0) return "decoded";
  const Problem problem = problem_of_block(format, status, 0);
  return problem.field + ": " + problem.description;
}

testing::AssertionResult has_statuses(format::BlockFormat format, std::span<const std::uint32_t> expected,
                                      std::span<const std::uint32_t> found) {
  if (expected.size() != found.size()) {
    return testing::AssertionFailure()
           << "expected statuses of " << expected.size() << " blocks, found " << found.size();
  }
  const auto [wanted, given] = std::ranges::mismatch(expected, found);
  if (wanted == expected.end()) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "wrong status: block " << wanted - expected.begin() << ": expected '"
                                     << status_text(format, *wanted) << "', found '"
                                     << status_text(format, *given) << "'";
}

testing::AssertionResult has_whole_guards(const DecodeResult& result, std::uint8_t poison) {
  const std::span<const std::uint8_t> all = result.guarded_output;
  const auto before = all.first(result.guard_bytes);
  const auto after = all.last(result.guard_bytes);
  const auto is_written = [&](std::uint8_t byte) { return byte != poison; };
  const auto first = std::ranges::find_if(before, is_written);
  if (first != before.end()) return wrote_outside(static_cast<std::size_t>(before.end() - first), "before");
  const auto last = std::find_if(after.rbegin(), after.rend(), is_written);
  if (last != after.rend()) return wrote_outside(static_cast<std::size_t>(after.rend() - last), "past");
  return testing::AssertionSuccess();
}

}  // namespace gsst::stage
