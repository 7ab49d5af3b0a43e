#include "common/format/formats.hpp"

#include <array>
#include <memory>
#include <string>

#include "common/format/error.hpp"
#include "common/format/runs/runs.hpp"

namespace gsst::format {
namespace {

// No block needs anything of an earlier one, so a pass keeps nothing.
class RunsPass final : public PayloadPass {
public:
  CheckedPayload check(std::span<const std::uint8_t> payload, const BlockExpectation& /*expected*/,
                       std::uint64_t block) override {
    if (payload.size() % run_bytes != 0) {
      throw FormatError(block, "runs",
                        "take " + std::to_string(payload.size()) + " bytes, expected two for each run");
    }
    return {};
  }
};

// NOLINTNEXTLINE(cppcoreguidelines-virtual-class-destructor): nobody owns it by a pointer to its base.
class RunsRules final : public PayloadRules {
public:
  constexpr RunsRules()
      : PayloadRules({.max_split_count = 1,
                      .layouts = layouts,
                      .payload_alignment = 1,
                      .max_bytes_per_code_byte = (longest_run + run_bytes - 1) / run_bytes,
                      .all_traits = 0}) {}

  std::uint64_t max_payload_bytes(std::uint32_t /*split_count*/,
                                  std::uint64_t uncompressed_bytes) const override {
    return run_bytes * uncompressed_bytes;
  }

  std::uint64_t usual_payload_bytes(std::uint32_t /*split_count*/,
                                    std::uint64_t uncompressed_bytes) const override {
    return uncompressed_bytes;
  }

  std::unique_ptr<PayloadPass> start_pass() const override { return std::make_unique<RunsPass>(); }

  StatusText describe(std::uint32_t status) const override { return describe_status(status); }

private:
  static constexpr std::array<BlockLayout, 1> layouts = {runs_layout};
};

constexpr RunsRules runs_rules;
constexpr std::array<Format, 1> runs_formats = {{{.id = runs_format, .name = "runs", .rules = &runs_rules}}};

}  // namespace

std::span<const Format> formats_of_runs() {
  return runs_formats;
}

}  // namespace gsst::format
