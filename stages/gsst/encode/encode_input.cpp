#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>

#include "common/format/formats.hpp"
#include "reference_cpu/compress_block.hpp"
#include "stages/gsst/encode/encode_plans.hpp"

namespace gsst::stage {
namespace {

constexpr std::string_view blocks_per_table = "blocks-per-table";
constexpr std::array<std::string_view, 1> options_of_stages = {blocks_per_table};
// Of format tiles, where nothing is said.
constexpr std::uint32_t usual_codes_per_lane = 32;

// Takes the options of an input one by one.
class OptionTaker {
public:
  OptionTaker(const std::string& stage, const format::CodecOptions& options)
      : stage_(stage), left_(options) {}

  std::uint32_t take(std::string_view option, std::uint32_t absent) {
    const auto found = left_.find(option);
    if (found == left_.end()) return absent;
    const std::uint64_t value = found->second;
    if (value > std::numeric_limits<std::uint32_t>::max()) fail(found->first + " is too large");
    left_.erase(found);
    return static_cast<std::uint32_t>(value);
  }

  void check_all_taken() const {
    if (!left_.empty()) fail("has no option " + left_.begin()->first);
  }

private:
  [[noreturn]] void fail(const std::string& problem) const {
    throw std::invalid_argument("stage " + stage_ + ": " + problem);
  }

  const std::string& stage_;
  format::CodecOptions left_;
};

}  // namespace

EncodeSettings GsstEncodePlans::settings_of(const InputToEncode& input) const {
  if (std::ranges::find(formats_, input.format) == formats_.end()) {
    throw std::invalid_argument("stage " + description_.id + ": does not write format " +
                                std::string(format::block_format_name(input.format)));
  }
  OptionTaker options(description_.id, input.options);
  EncodeSettings settings = {.input_bytes = input.input_bytes,
                             .block_bytes = input.block_bytes,
                             .split_count = 1,
                             .blocks_per_table = options.take(blocks_per_table, 1),
                             .parameters = input.parameters};
  if (input.format == format::BlockFormat::tiles) {
    settings.tiles =
        format::TileShape{.code_bits = options.take("code-bits", 0),
                          .codes_per_lane = options.take("codes-per-lane", usual_codes_per_lane)};
  } else {
    settings.split_count = options.take("splits", reference::CompressOptions().split_count);
  }
  options.check_all_taken();
  check_settings(description_, settings);
  return settings;
}

std::span<const std::string_view> GsstEncodePlans::options() const {
  return options_of_stages;
}

std::vector<std::pair<std::string, std::uint64_t>> GsstEncodePlans::describe(
    const InputToEncode& input) const {
  const EncodeSettings settings = settings_of(input);
  std::vector<std::pair<std::string, std::uint64_t>> numbers = {
      {"splits", settings.split_count}, {"blocks_per_table", settings.blocks_per_table}};
  if (settings.tiles) {
    numbers.emplace_back("code_bits", settings.tiles->code_bits);
    numbers.emplace_back("codes_per_lane", settings.tiles->codes_per_lane);
  }
  return numbers;
}

std::unique_ptr<Plan> GsstEncodePlans::plan_of(const InputToEncode& input) const {
  return make({.settings = settings_of(input)});
}

}  // namespace gsst::stage
