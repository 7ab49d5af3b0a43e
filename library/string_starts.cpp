#include "library/string_starts.hpp"

#include <atomic>
#include <cstddef>
#include <new>

namespace gsst::library {
namespace {

using format::strings_per_group;

constexpr std::uint64_t words_per_group = strings_per_group + 1;
// Bytes of a group's strings that fit a word. Strings of a larger group are summed up each time.
constexpr std::uint64_t max_group_bytes = (std::uint64_t{1} << 31) - 1;

// The complement of the offset in the group and whether the string is null: never 0 but for a null at the
// very end of the largest group, which is looked for anew each time.
std::uint32_t make_word(std::uint64_t offset, bool is_null) {
  return ~(static_cast<std::uint32_t>(offset) << 1 | (is_null ? 1U : 0U));
}

std::uint32_t load(std::uint32_t& word) {
  return std::atomic_ref(word).load(std::memory_order_relaxed);
}

void store(std::uint32_t& word, std::uint32_t value) {
  std::atomic_ref(word).store(value, std::memory_order_relaxed);
}

}  // namespace

StringStarts::StringStarts(const format::StringColumnView& view) : view_(view) {
  const std::uint64_t groups = view.group_count();
  first_bytes_.reserve(groups + 1);
  for (std::uint64_t group = 0; group < groups; ++group) {
    first_bytes_.push_back(view.group(group).first_byte());
  }
  first_bytes_.push_back(view.string_bytes);
  if (groups == 0) return;
  // Takes no pages before they are written.
  const std::size_t words = view.string_count + groups;
  // NOLINTNEXTLINE(cppcoreguidelines-no-malloc,cppcoreguidelines-owning-memory)
  words_.reset(static_cast<std::uint32_t*>(std::calloc(words, sizeof(std::uint32_t))));
  if (words_ == nullptr) throw std::bad_alloc();
}

StringPlace StringStarts::find(std::uint64_t string) const {
  const std::uint64_t group = string / strings_per_group;
  std::uint32_t* const word = words_.get() + group * words_per_group + string % strings_per_group;
  const std::uint32_t begin = load(word[0]);
  const std::uint32_t end = load(word[1]);
  if (begin == 0 || end == 0) return sum_up(string);
  return {.offset = first_bytes_[group] + (~begin >> 1),
          .bytes = (~end >> 1) - (~begin >> 1),
          .is_null = (~begin & 1) != 0};
}

StringPlace StringStarts::sum_up(std::uint64_t string) const {
  const std::uint64_t number = string / strings_per_group;
  const auto wanted = static_cast<std::uint32_t>(string % strings_per_group);
  const format::StringGroup group = view_.group(number);
  const bool fits = first_bytes_[number + 1] - first_bytes_[number] <= max_group_bytes;
  std::uint32_t* const words = words_.get() + number * words_per_group;
  StringPlace place{};
  std::uint64_t offset = 0;
  for (std::uint32_t i = 0; i < group.string_count(); ++i) {
    const std::uint64_t bytes = group.length(i);
    const bool is_null = group.is_null(i);
    if (i == wanted) place = {.offset = first_bytes_[number] + offset, .bytes = bytes, .is_null = is_null};
    if (fits) store(words[i], make_word(offset, is_null));
    offset += bytes;
  }
  if (fits) store(words[group.string_count()], make_word(offset, false));
  return place;
}

}  // namespace gsst::library
