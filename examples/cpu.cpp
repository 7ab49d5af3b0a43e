// Compresses a file in memory, looks at the frame, decompresses it into memory of its own and compares.
//   cpu FILE
#include <algorithm>
#include <fstream>
#include <gsst/gsst.hpp>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

int main(int argument_count, char** arguments) {
  std::ifstream file(argument_count == 2 ? arguments[1] : "", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const auto input = std::as_bytes(std::span(text));

  const auto frame = gsst::compress(input, {.format = gsst::Format::splits, .level = 2, .threads = 2});
  if (!frame) {
    std::cerr << frame.failure().message << '\n';
    return 1;
  }

  // The plan says how much memory the output takes; execute writes there and allocates none for it.
  const auto plan = gsst::DecompressPlan::create(*frame);
  if (!plan) {
    std::cerr << plan.failure().message << '\n';
    return 1;
  }
  std::vector<std::byte> output(plan->output_bytes());
  const auto written = plan->execute(output);
  const bool same = written && std::ranges::equal(output, input);
  std::cout << input.size() << " -> " << frame->size() << " bytes in " << plan->info().block_count
            << " blocks, " << (same ? "same" : "different") << '\n';
  return same ? 0 : 1;
}
