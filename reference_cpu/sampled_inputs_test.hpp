#pragma once

#include <cstddef>
#include <vector>

#include "reference_cpu/test_inputs.hpp"
#include "stages/suite/test_sample.hpp"

/// What tests take of the shared inputs where a sanitizer makes them slow.
namespace gsst::reference::test {

/// awkward_inputs(); under a tool (test_sample()) a part only of the texts and mixtures of 4095 to 16385
/// bytes, which differ in their sizes: each trains tables for a second. All other kinds and sizes are among
/// them. For tests whose borders are not those sizes.
inline std::vector<NamedInput> sampled_awkward_inputs() {
  const gsst::test::TestSample sample = gsst::test::test_sample();
  std::size_t number = 0;
  std::vector<NamedInput> inputs = awkward_inputs();
  std::erase_if(inputs, [&](const NamedInput& input) {
    const bool is_one_of_many = (input.name.starts_with("text_") || input.name.starts_with("mixed_")) &&
                                input.bytes.size() >= 4095 && input.bytes.size() <= 16385;
    return is_one_of_many && !sample.has(number++);
  });
  return inputs;
}

}  // namespace gsst::reference::test
