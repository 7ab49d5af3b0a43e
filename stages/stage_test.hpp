#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "common/stage/registry.hpp"
#include "common/stage/run_decode.hpp"
#include "stages/stage_case.hpp"

/// What the tests of stages share: each of them runs for every stage that is registered, on every executor of
/// this machine.
namespace gsst::stage {

/// Every registered stage on every executor of this machine.
std::vector<StageCase> all_stage_cases();

/// Those of them that decode `format`.
std::vector<StageCase> stage_cases_of(format::BlockFormat format);

/// What a decoder must report of each block of `frame`, which a plan accepts: the worst that the oracle finds
/// in the block's splits, for format tiles the first wrong strip. Checksums are the host's business.
std::vector<std::uint32_t> oracle_statuses(std::span<const std::uint8_t> frame);

class StageTest : public testing::TestWithParam<StageCase> {
protected:
  const RegisteredStage& stage() const { return *find_stage(GetParam().stage, Operation::decode); }

  /// The oracle's frame of `input` in the stage's format.
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
