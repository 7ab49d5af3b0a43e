#include "fuzz/payload_mutator.hpp"

#include <algorithm>
#include <stdexcept>

#include "common/format/block_status.hpp"
#include "common/format/formats.hpp"
#include "fuzz/byte_changes.hpp"
#include "fuzz/encode_choices.hpp"
#include "reference_cpu/test_inputs.hpp"

namespace gsst::fuzz {
namespace {

using format::BlockLayout;
using Bytes = std::vector<std::uint8_t>;

reference::EncodeSettings choose_settings_that_fit(const reference::Codec& codec, Random& random) {
  const ChooseFunction choose = [&](std::uint64_t limit) { return random.below(limit); };
  for (unsigned tries = 0; tries < 8; ++tries) {
    reference::EncodeSettings settings = choose_settings(codec, choose);
    try {
      codec.check(settings);
      return settings;
    } catch (const std::invalid_argument&) {
      continue;
    }
  }
  return {};
}

Bytes make_input(std::size_t bytes, Random& random) {
  switch (random.below(4)) {
    case 0:
      return reference::test::make_text(bytes, random.number());
    case 1:
      return reference::test::make_random(bytes, random.number());
    default:
      return reference::test::make_mixed(bytes, random.number());
  }
}

// One of those that the format has, raw included.
BlockLayout choose_layout(const format::PayloadRules& rules, Random& random) {
  const std::span<const BlockLayout> layouts = rules.limits().layouts;
  const std::uint32_t choice = random.below(layouts.size() + 1);
  return choice == layouts.size() ? BlockLayout::raw : layouts[choice];
}

void change_length(Bytes& bytes, Random& random) {
  const std::size_t change = 1 + random.below(16);
  if (random.one_in(2)) {
    bytes.resize(bytes.size() - std::min(change, bytes.size()));
  } else {
    for (std::size_t i = 0; i < change; ++i) bytes.push_back(random.byte());
  }
}

// NOLINTNEXTLINE(cppcoreguidelines-virtual-class-destructor): nobody owns one by a pointer to its base.
class ByteMutator final : public PayloadMutator {};

constexpr ByteMutator byte_mutator;

}  // namespace

Seeds PayloadMutator::make_seeds(const reference::Codec& codec, std::size_t count, Random& random) const {
  reference::EncodeSettings settings = choose_settings_that_fit(codec, random);
  settings.block_bytes = std::min<std::uint64_t>(choose_block_bytes(random), codec.traits().max_block_bytes);
  settings.threads = 1;
  const Bytes frame = encode_file(codec, make_input(count * settings.block_bytes, random), settings);
  const format::FrameView view = format::parse_frame(frame);
  Seeds seeds{.header = view.header, .blocks = {}};
  for (std::size_t block = 0; block < view.index.entries.size(); ++block) {
    const auto payload = view.payload(block);
    seeds.blocks.push_back(
        {.layout = view.index.entries[block].record.layout, .bytes = {payload.begin(), payload.end()}});
  }
  return seeds;
}

Block PayloadMutator::change(const Seeds& seeds, Random& random) const {
  const format::PayloadRules& rules = format::rules_of(seeds.header.format);
  const auto any_seed = [&]() -> const Block& { return seeds.blocks[random.below(seeds.blocks.size())]; };
  Block block = any_seed();
  const std::uint32_t changes = random.one_in(3) ? 2 + random.below(2) : 1;
  for (std::uint32_t i = 0; i < changes; ++i) {
    const Region all{.begin = 0, .size = block.bytes.size()};
    switch (random.below(16)) {
      case 0:
        block.layout = choose_layout(rules, random);
        break;
      case 1:
      case 2:
        change_length(block.bytes, random);
        break;
      case 3:
      case 4:
        copy_from_another(block.bytes, all, any_seed().bytes, random);
        break;
      case 5:
      case 6:
        copy_inside(block.bytes, all, random);
        break;
      case 7:
      case 8:
        swap_bytes(block.bytes, all, random);
        break;
      default:
        change_byte(block.bytes, all, random);
    }
  }
  if (!random.one_in(32)) {
    block.bytes.resize(format::padded_payload_bytes(block.bytes.size(), rules.limits().payload_alignment));
  }
  return block;
}

std::optional<Block> PayloadMutator::with_earlier_part(const Block& /*block*/,
                                                       std::span<const Block> /*earlier*/,
                                                       const format::FrameHeader& /*header*/,
                                                       Random& /*random*/) const {
  return std::nullopt;
}

std::uint32_t PayloadMutator::repair_fields(Block& /*block*/, const format::FrameHeader& /*header*/,
                                            std::uint32_t stated, Random& /*random*/) const {
  return stated;
}

std::uint32_t PayloadMutator::repair_output_size(Block& /*block*/, std::uint32_t stated) const {
  return stated;
}

void PayloadMutator::repair_file(std::span<std::uint8_t> /*file*/) const {}

std::optional<Bytes> PayloadMutator::decode_otherwise(std::span<const std::uint8_t> /*file*/) const {
  return std::nullopt;
}

bool PayloadMutator::is_problem(std::uint32_t word) const {
  const format::BlockStatus status = format::block_status(word);
  return status > format::BlockStatus::decoded && status <= format::BlockStatus::escape_missing;
}

stage::RangeOracle PayloadMutator::ask_range(const format::FrameView& /*frame*/,
                                             const stage::ByteRange& range) const {
  return {.is_right = false,
          .bytes = std::vector<std::optional<std::uint8_t>>(static_cast<std::size_t>(range.bytes))};
}

const PayloadMutator& mutator_of(format::BlockFormat format) {
  for (const MutatorsOfSeries mutators_of_series : series_with_mutators()) {
    for (const FormatMutator& of_format : mutators_of_series()) {
      if (of_format.format == format) return *of_format.mutator;
    }
  }
  return byte_mutator;
}

}  // namespace gsst::fuzz
