#include "common/format/formats.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace gsst::format {
namespace {

template <typename Condition>
std::optional<Format> find_if(const Condition& condition) {
  for (const FormatsOfSeries formats_of_series : series_with_formats()) {
    const std::span<const Format> formats = formats_of_series();
    const auto found = std::ranges::find_if(formats, condition);
    if (found != formats.end()) return *found;
  }
  return std::nullopt;
}

}  // namespace

std::vector<Format> registered_formats() {
  std::vector<Format> all;
  for (const FormatsOfSeries formats_of_series : series_with_formats()) {
    const std::span<const Format> formats = formats_of_series();
    all.insert(all.end(), formats.begin(), formats.end());
  }
  std::ranges::sort(all, {}, &Format::id);
  const auto same = std::ranges::adjacent_find(all, {}, &Format::id);
  if (same != all.end()) {
    throw std::logic_error("formats " + std::string(same[0].name) + " and " + std::string(same[1].name) +
                           " have the same id " + std::to_string(static_cast<unsigned>(same->id)));
  }
  return all;
}

std::optional<Format> find_format(BlockFormat format) {
  return find_if([&](const Format& candidate) { return candidate.id == format; });
}

const PayloadRules& rules_of(BlockFormat format) {
  const std::optional<Format> found = find_format(format);
  if (found && found->rules != nullptr) return *found->rules;
  throw std::invalid_argument("no frame holds blocks of format " + std::string(block_format_name(format)));
}

std::string_view block_format_name(BlockFormat format) {
  const std::optional<Format> found = find_format(format);
  return found ? found->name : "unknown";
}

std::optional<BlockFormat> block_format_from_name(std::string_view name) {
  const std::optional<Format> found =
      find_if([&](const Format& candidate) { return candidate.name == name; });
  if (!found) return std::nullopt;
  return found->id;
}

}  // namespace gsst::format
