#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

#include "cpu/tiles/instruction_sets.hpp"

namespace gsst::cpu::tiles {

/// A test for each instruction set by name, whatever this processor would choose; skipped where the processor
/// does not run it.
class InstructionSetTest : public testing::TestWithParam<const char*> {
protected:
  void SetUp() override {
    const auto sets = instruction_sets();
    const auto found = std::ranges::find(sets, std::string_view(GetParam()), &InstructionSet::name);
    if (found == sets.end()) GTEST_SKIP() << "this processor does not run " << GetParam();
    instructions_ = &*found;
  }

  const InstructionSet& instructions() const { return *instructions_; }

private:
  const InstructionSet* instructions_ = nullptr;
};

}  // namespace gsst::cpu::tiles
