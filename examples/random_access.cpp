// Compresses lines of text, then decompresses two of them and as little of the rest as possible.
#include <cstdint>
#include <gsst/gsst.hpp>
#include <iostream>
#include <string>
#include <vector>

int main() {
  std::string text;
  std::vector<std::uint64_t> starts;
  for (int line = 0; line < 10'000; ++line) {
    starts.push_back(text.size());
    text += "line " + std::to_string(line) + ", which carefully sleeps among the others\n";
  }
  const auto frame =
      gsst::compress(std::as_bytes(std::span(text)), {.format = gsst::Format::splits, .splits = 256});
  if (!frame) return 1;

  // Without checksums, which are of whole blocks, only splits are decoded. A plan serves any number of reads.
  const auto plan = gsst::DecompressPlan::create(frame.value(), {.skip_checksums = true});
  if (!plan) return 1;
  std::vector<gsst::Range> ranges;
  std::string expected;
  for (const std::size_t line : {7'100, 42}) {
    const std::uint64_t bytes = starts[line + 1] - starts[line];
    ranges.push_back({.offset = starts[line], .bytes = bytes, .output_offset = expected.size()});
    expected += text.substr(starts[line], bytes);
  }
  std::string output(expected.size(), '\0');
  const auto info = plan.value().execute_ranges(ranges, std::as_writable_bytes(std::span(output)));
  if (!info) {
    std::cerr << info.failure().message << '\n';
    return 1;
  }
  const gsst::FrameInfo whole = plan.value().info();
  std::cout << "two lines of 10000: " << info.value().parts << " of " << whole.block_count * whole.splits
            << " splits decoded, " << (output == expected ? "same" : "different") << '\n';
  return output == expected ? 0 : 1;
}
