#include "stages/gsst/tests/decode/gsst_stage_test.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

#include "common/format/error.hpp"
#include "common/format/gsst/block.hpp"
#include "common/format/gsst/shared_tables.hpp"
#include "common/frame/frame.hpp"
#include "common/stage/block_statuses.hpp"
#include "reference_cpu/part_decoder.hpp"

namespace gsst::stage {
namespace {

// The oracle and the stages say of the same problem the same.
BlockStatus status_of(const format::FormatError& error) {
  if (error.field().starts_with("split location")) return BlockStatus::escape_missing;
  for (const BlockStatus status : {BlockStatus::output_too_short, BlockStatus::output_too_long,
                                   BlockStatus::escape_at_end, BlockStatus::code_without_symbol}) {
    const Problem problem =
        problem_of_block(format::BlockFormat::blocks, static_cast<std::uint32_t>(status), 0);
    if (std::string(error.what()).ends_with(problem.description)) return status;
  }
  throw std::logic_error(std::string("no status says: ") + error.what());
}

// What the oracle finds in part `part` of `block`.
BlockStatus status_of_part(const format::BlockView& block, const reference::PartDecoder& parts,
                           std::uint32_t part) {
  std::vector<std::uint8_t> output(parts.part(part).output_bytes);
  try {
    parts.decode(part, output);
    return BlockStatus::decoded;
  } catch (const format::FormatError& error) {
    const BlockStatus status = status_of(error);
    // The oracle takes a last 255 for the escape that the next split needs before it sees that an escape
    // precedes it.
    const bool escapes_next = part + 1 < block.split_count && block.split(part + 1).starts_escaped;
    return status == BlockStatus::escape_at_end && escapes_next ? BlockStatus::escape_missing : status;
  }
}

std::vector<StageCase> cases_of_series() {
  constexpr std::array formats = {format::BlockFormat::blocks, format::BlockFormat::splits,
                                  format::BlockFormat::coalesced, format::BlockFormat::tiles};
  std::vector<StageCase> cases = stage_cases(Operation::decode);
  std::erase_if(cases, [&](const StageCase& one) {
    return std::ranges::count(formats, find_stage(one.stage, Operation::decode)->description.format) == 0;
  });
  return cases;
}

}  // namespace

std::vector<std::uint32_t> oracle_statuses(std::span<const std::uint8_t> frame) {
  const format::FrameView view = format::parse_frame(frame);
  std::vector<std::uint32_t> statuses;
  for (std::size_t number = 0; number < view.index.entries.size(); ++number) {
    const format::BlockView block = format::parse_block(view, number);
    const bool has_strips =
        block.format == format::BlockFormat::tiles && block.layout != format::BlockLayout::raw;
    const reference::PartDecoder parts(
        block, number, has_strips ? format::find_table(view, number) : std::span<const std::uint8_t>());
    std::uint32_t worst = 0;
    for (std::uint32_t part = 0; part < parts.part_count(); ++part) {
      const BlockStatus status = status_of_part(block, parts, part);
      if (status == BlockStatus::decoded) continue;
      worst = std::max(worst, has_strips ? strip_status(status, part) : static_cast<std::uint32_t>(status));
    }
    statuses.push_back(worst);
  }
  return statuses;
}

INSTANTIATE_TEST_SUITE_P(AllStages, GsstStageTest, testing::ValuesIn(cases_of_series()), case_name);

}  // namespace gsst::stage
