#include "cli/size_text.hpp"

#include <array>
#include <charconv>
#include <limits>
#include <system_error>

namespace gsst::cli {
namespace {

struct Unit {
  std::string_view name;
  std::uint64_t bytes;
};

constexpr std::uint64_t kibibyte = std::uint64_t{1} << 10;
constexpr std::array<Unit, 7> units = {{{"", 1},
                                        {"K", kibibyte},
                                        {"KiB", kibibyte},
                                        {"M", kibibyte* kibibyte},
                                        {"MiB", kibibyte* kibibyte},
                                        {"G", kibibyte* kibibyte* kibibyte},
                                        {"GiB", kibibyte* kibibyte* kibibyte}}};

}  // namespace

std::optional<std::uint64_t> parse_size(std::string_view text) {
  std::uint64_t count = 0;
  const char* end = text.data() + text.size();
  const auto [unit_begin, error] = std::from_chars(text.data(), end, count);
  if (error != std::errc{}) return std::nullopt;
  const std::string_view unit_name(unit_begin, static_cast<std::size_t>(end - unit_begin));
  for (const Unit& unit : units) {
    if (unit.name != unit_name) continue;
    if (count > std::numeric_limits<std::uint64_t>::max() / unit.bytes) return std::nullopt;
    return count * unit.bytes;
  }
  return std::nullopt;
}

}  // namespace gsst::cli
