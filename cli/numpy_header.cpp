#include "cli/numpy_header.hpp"

#include <algorithm>
#include <string_view>

#include "common/format/bytes.hpp"

namespace gsst::cli {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
// After the magic: two numbers of the version.
constexpr std::size_t version_bytes = 2;

// The Python dictionary that the header is.
std::string_view header_text(std::string_view file) {
  constexpr std::size_t length_at = magic.size() + version_bytes;
  // Two bytes of length in version 1, four since.
  const std::size_t length_bytes = file[magic.size()] == 1 ? 2 : 4;
  if (file.size() < length_at + length_bytes) return {};
  const auto* const length = reinterpret_cast<const std::uint8_t*>(file.data()) + length_at;
  const std::size_t bytes =
      length_bytes == 2 ? format::load_little_endian<2>(length) : format::load_little_endian<4>(length);
  return file.substr(length_at + length_bytes, bytes);
}

// The text between quotes after a key of the dictionary; empty where the key has another value.
std::string_view quoted_value(std::string_view dictionary, std::string_view key) {
  const std::size_t found = dictionary.find(key);
  if (found == std::string_view::npos) return {};
  const std::size_t value = dictionary.find_first_not_of(" :", found + key.size());
  if (value == std::string_view::npos || dictionary[value] != '\'') return {};
  const std::size_t end = dictionary.find('\'', value + 1);
  return end == std::string_view::npos ? std::string_view{} : dictionary.substr(value + 1, end - value - 1);
}

}  // namespace

std::optional<std::string> numpy_type(std::span<const std::uint8_t> first_bytes) {
  const std::string_view file(reinterpret_cast<const char*>(first_bytes.data()), first_bytes.size());
  if (!file.starts_with(magic) || file.size() < magic.size() + version_bytes) return std::nullopt;
  return std::string(quoted_value(header_text(file), "'descr'"));
}

std::optional<std::string> value_type_name(const std::string& numpy_type) {
  // An order of bytes (none for values of one byte), a letter, and the bytes of a value.
  if (numpy_type.size() != 3 || (numpy_type[0] != '<' && numpy_type[0] != '|')) return std::nullopt;
  const char kind = numpy_type[1];
  const int bytes = numpy_type[2] - '0';
  if ((kind != 'i' && kind != 'u') || bytes < 1 || bytes > 8) return std::nullopt;
  return kind + std::to_string(8 * bytes);
}

}  // namespace gsst::cli
