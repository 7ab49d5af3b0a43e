#pragma once

#include <algorithm>
#include <string>
#include <string_view>

/// Letters of ASCII in either case.
namespace gsst::search {

inline char folded(char byte) {
  return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte + ('a' - 'A')) : byte;
}

inline std::string folded(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](char byte) { return folded(byte); });
  return result;
}

/// Whether `text` is `wanted`, which is folded where the case is ignored.
inline bool equals_folded(std::string_view text, std::string_view wanted, bool ignore_case) {
  if (!ignore_case) return text == wanted;
  return std::ranges::equal(text, wanted, {}, [](char byte) { return folded(byte); });
}

}  // namespace gsst::search
