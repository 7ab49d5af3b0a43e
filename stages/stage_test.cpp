#include "stages/stage_test.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "common/format/error.hpp"
#include "common/format/gsst/block.hpp"
#include "common/format/gsst/shared_tables.hpp"
#include "common/frame/frame.hpp"
#include "common/stage/block_statuses.hpp"
#include "reference_cpu/memory_codec.hpp"
#include "reference_cpu/part_decoder.hpp"

namespace gsst::stage {
namespace {

constexpr std::uint8_t poison = 0xb7;
// Of longer inputs the memory would matter.
constexpr std::size_t kept_input_bytes = 65536;

void expect_guards(const DecodeResult& result) {
  const auto is_poison = [](std::uint8_t byte) { return byte == poison; };
  const auto guard = static_cast<std::ptrdiff_t>(result.guard_bytes);
  ASSERT_TRUE(std::all_of(result.guarded_output.begin(), result.guarded_output.begin() + guard, is_poison));
  ASSERT_TRUE(std::all_of(result.guarded_output.end() - guard, result.guarded_output.end(), is_poison));
}

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

std::vector<StageCase> all_stage_cases() {
  std::vector<StageCase> cases;
  for (const RegisteredStage& stage : registered_stages(Operation::decode)) {
    for (const auto& [executor, decode] : stage.decode) {
      if (is_available(executor)) cases.push_back({.stage = stage.description.id, .executor = executor});
    }
  }
  return cases;
}

std::vector<StageCase> stage_cases_of(format::BlockFormat format) {
  std::vector<StageCase> cases = all_stage_cases();
  std::erase_if(cases, [&](const StageCase& one) {
    return find_stage(one.stage, Operation::decode)->description.format != format;
  });
  return cases;
}

INSTANTIATE_TEST_SUITE_P(AllStages, StageTest, testing::ValuesIn(all_stage_cases()), case_name);

std::vector<std::uint8_t> StageTest::compress(std::span<const std::uint8_t> input, std::uint64_t block_bytes,
                                              std::uint32_t split_count) const {
  const reference::CompressOptions options{.format = stage().description.format,
                                           .block_bytes = block_bytes,
                                           .split_count = split_count,
                                           .threads = 1};
  if (input.size() > kept_input_bytes) return reference::compress(input, options);
  // Stages of the same format decode the same frames, whose tables take longer to train than kernels to run.
  using Request = std::tuple<format::BlockFormat, std::uint64_t, std::uint32_t, std::vector<std::uint8_t>>;
  static std::map<Request, std::vector<std::uint8_t>> frames;
  std::vector<std::uint8_t>& frame =
      frames[{options.format, block_bytes, split_count, {input.begin(), input.end()}}];
  if (frame.empty()) frame = reference::compress(input, options);
  return frame;
}

DecodeResult StageTest::decode_guarded(std::span<const std::uint8_t> frame, const ParameterValues& parameters,
                                       std::size_t shift) const {
  DecodeResult result = run_decode(stage(), GetParam().executor, frame, parameters,
                                   {.guard_bytes = 256 + shift, .poison = poison, .frame_offset = shift});
  expect_guards(result);
  return result;
}

void StageTest::expect_decodes(std::span<const std::uint8_t> frame, std::span<const std::uint8_t> input,
                               const ParameterValues& parameters, std::size_t shift) const {
  const DecodeResult result = decode_guarded(frame, parameters, shift);
  ASSERT_FALSE(first_problem(stage().description.format, std::as_bytes(std::span(result.statuses)), 0));
  ASSERT_TRUE(std::ranges::equal(result.output(), input));
}

}  // namespace gsst::stage
