#include "fuzz/encode_choices.hpp"

#include <bit>
#include <string>

namespace gsst::fuzz {
namespace {

std::uint64_t choose_value(const reference::CodecOption& option, const ChooseFunction& choose) {
  if (!option.names.empty()) return choose(option.names.size());
  if (!option.values.empty()) return option.values[choose(option.values.size())];
  // Small numbers as often as large ones.
  const std::uint64_t range = option.most - option.least;
  return option.least + choose((range >> choose(std::bit_width(range) + std::uint64_t{1})) + 1);
}

}  // namespace

reference::EncodeSettings choose_settings(const reference::Codec& codec, const ChooseFunction& choose) {
  reference::EncodeSettings settings;
  // Mostly the first level: others take longer.
  if (codec.traits().max_level > 1 && choose(8) == 1) {
    settings.level = 1 + static_cast<unsigned>(choose(codec.traits().max_level));
  }
  for (const reference::CodecOption& option : codec.traits().options) {
    if (choose(2) == 1) settings.options[std::string(option.name)] = choose_value(option, choose);
  }
  return settings;
}

}  // namespace gsst::fuzz
