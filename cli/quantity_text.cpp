#include "cli/quantity_text.hpp"

#include <array>
#include <cmath>
#include <cstdio>

namespace gsst::cli {
namespace {

std::string with_decimals(double value, int decimals) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.*f", decimals, value);
  return text.data();
}

std::string two_digits(std::uint64_t value) {
  return {static_cast<char>('0' + value / 10 % 10), static_cast<char>('0' + value % 10)};
}

}  // namespace

std::string byte_text(double bytes) {
  static constexpr std::array units = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
  std::size_t unit = 0;
  // 999.5 and more would be rounded to four digits.
  while (bytes >= 999.5 && unit + 1 < units.size()) {
    bytes /= 1000;
    ++unit;
  }
  int decimals = 0;
  if (unit > 0 && bytes < 99.95) decimals = bytes < 9.995 ? 2 : 1;
  return with_decimals(bytes, decimals) + " " + units[unit];
}

std::string duration_text(double seconds) {
  const auto whole = static_cast<std::uint64_t>(std::llround(seconds));
  if (whole < 60) return std::to_string(whole) + " s";
  if (whole < 3600) return std::to_string(whole / 60) + " min " + two_digits(whole % 60) + " s";
  return std::to_string(whole / 3600) + " h " + two_digits(whole / 60 % 60) + " min";
}

std::string ratio_text(std::uint64_t uncompressed_bytes, std::uint64_t compressed_bytes) {
  if (compressed_bytes == 0) return "-";
  return with_decimals(static_cast<double>(uncompressed_bytes) / static_cast<double>(compressed_bytes), 3);
}

}  // namespace gsst::cli
