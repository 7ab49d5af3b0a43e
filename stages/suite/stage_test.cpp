#include "stages/suite/stage_test.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "common/simt/executor.hpp"
#include "reference_cpu/codec.hpp"
#include "stages/suite/forbidden_guards.hpp"
#include "stages/suite/output_difference.hpp"

namespace gsst::stage {
namespace {

constexpr std::uint8_t poison = 0xb7;
// Of longer inputs the memory would matter.
constexpr std::size_t kept_input_bytes = 65536;

void expect_guards(const DecodeResult& result) {
  ASSERT_TRUE(has_whole_guards(result, poison));
}

}  // namespace

INSTANTIATE_TEST_SUITE_P(AllStages, StageTest, testing::ValuesIn(stage_cases(Operation::decode)), case_name);

std::vector<std::uint8_t> StageTest::compress(std::span<const std::uint8_t> input, std::uint64_t block_bytes,
                                              std::uint32_t split_count) const {
  const reference::Codec& codec = reference::codec_of(stage().description.format);
  reference::EncodeSettings settings{.block_bytes = block_bytes, .threads = 1};
  if (codec.has_option("splits")) settings.options["splits"] = split_count;
  if (input.size() > kept_input_bytes) return reference::encode_file(codec, input, settings);
  // Stages of the same format decode the same frames, which take longer to make than kernels to run.
  using Request = std::tuple<format::BlockFormat, std::uint64_t, std::uint32_t, std::vector<std::uint8_t>>;
  static std::map<Request, std::vector<std::uint8_t>> frames;
  std::vector<std::uint8_t>& frame =
      frames[{codec.traits().format, block_bytes, split_count, {input.begin(), input.end()}}];
  if (frame.empty()) frame = reference::encode_file(codec, input, settings);
  return frame;
}

DecodeResult StageTest::decode_guarded(std::span<const std::uint8_t> frame, const ParameterValues& parameters,
                                       std::size_t shift) const {
  const auto decode = [&](std::size_t guard_bytes) {
    return run_decode(with_forbidden_guards(stage(), guard_bytes), GetParam().executor, frame, parameters,
                      {.guard_bytes = guard_bytes, .poison = poison, .frame_offset = shift});
  };
  try {
    DecodeResult result = decode(256 + shift);
    // Once more with an output before which AddressSanitizer tells of every byte, and of the line.
    if (!has_whole_guards(result, poison)) decode((256 + shift + 7) / 8 * 8);
    expect_guards(result);
    return result;
  } catch (const simt::KernelError& error) {
    // While GoogleTest still knows with which input.
    ADD_FAILURE() << error.what();
    throw;
  }
}

void StageTest::expect_decodes(std::span<const std::uint8_t> frame, std::span<const std::uint8_t> input,
                               const ParameterValues& parameters, std::size_t shift) const {
  SCOPED_TRACE("parameters: " + names_and_values(parameters));
  const DecodeResult result = decode_guarded(frame, parameters, shift);
  const std::vector<std::uint32_t> decoded(result.statuses.size());
  ASSERT_TRUE(has_statuses(stage().description.format, decoded, result.statuses));
  ASSERT_TRUE(is_output(frame, input, result.output()));
}

}  // namespace gsst::stage
