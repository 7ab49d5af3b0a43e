#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "common/stage/registry.hpp"
#include "common/stage/run_decode.hpp"
#include "stages/suite/stage_case.hpp"

/// What the tests of decoders of every format share: frames are those that the codec of the format makes.
/// Each test runs for every stage that is registered, on every executor of this machine.
namespace gsst::stage {

class StageTest : public testing::TestWithParam<StageCase> {
protected:
  const RegisteredStage& stage() const { return *find_stage(GetParam().stage, Operation::decode); }

  /// The frame that the codec of the stage's format makes of `input`. Formats without splits ignore their
  /// number.
  std::vector<std::uint8_t> compress(std::span<const std::uint8_t> input, std::uint64_t block_bytes,
                                     std::uint32_t split_count) const;

  /// Decodes between guard bytes and checks output, guards and statuses. `shift` moves both buffers'
  /// addresses.
  void expect_decodes(std::span<const std::uint8_t> frame, std::span<const std::uint8_t> input,
                      const ParameterValues& parameters, std::size_t shift) const;

  /// Decodes between guard bytes, checks the guards and leaves the rest to the caller.
  DecodeResult decode_guarded(std::span<const std::uint8_t> frame, const ParameterValues& parameters,
                              std::size_t shift) const;
};

}  // namespace gsst::stage
