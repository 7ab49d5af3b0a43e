#include "search/word_finder.hpp"

#include <algorithm>

namespace gsst::search {
namespace {

// Bytes of text, the most frequent first. What is not among them is rarer; a wrong order costs time alone.
constexpr std::string_view frequent_bytes = " etaoinsrhldcumfpgwybvkxjqz0123456789.,-/\0";

std::size_t rarity(char byte) {
  return std::min(frequent_bytes.find(byte), frequent_bytes.size());
}

}  // namespace

WordFinder::WordFinder(const std::vector<std::string>& words, bool ignore_case,
                       FindFingerprint* find_fingerprint)
    : find_fingerprint_(find_fingerprint) {
  for (std::size_t byte = 0; byte < folded_.size(); ++byte) {
    const bool is_upper = byte >= 'A' && byte <= 'Z';
    folded_[byte] = static_cast<std::uint8_t>(ignore_case && is_upper ? byte + ('a' - 'A') : byte);
  }
  fingerprints_.bytes =
      std::min(most_fingerprint_bytes, std::ranges::min(words, {}, &std::string::size).size());
  for (std::size_t place = fingerprints_.bytes; place < most_fingerprint_bytes; ++place) {
    std::ranges::fill(fingerprints_.buckets[place], std::uint8_t{0xff});
    std::ranges::fill(fingerprints_.of_low_bits[place], std::uint8_t{0xff});
    std::ranges::fill(fingerprints_.of_high_bits[place], std::uint8_t{0xff});
  }

  std::vector<Word> placed;
  for (std::string word : words) {
    for (char& byte : word) byte = static_cast<char>(fold(byte));
    const std::size_t place = rarest_place(word);
    placed.push_back({.text = std::move(word), .place = place});
  }
  const auto piece = [&](const Word& word) {
    return std::string_view(word.text).substr(word.place, fingerprints_.bytes);
  };
  // Alike ones share a bucket, which has fewer combinations of bytes then.
  std::ranges::sort(placed, {}, piece);
  for (std::size_t i = 0; i < placed.size(); ++i) {
    const std::size_t bucket = i * buckets_.size() / placed.size();
    add_fingerprint(piece(placed[i]), bucket);
    buckets_[bucket].push_back(std::move(placed[i]));
  }
}

std::size_t WordFinder::rarest_place(std::string_view word) const {
  const std::size_t places = word.size() - fingerprints_.bytes + 1;
  std::size_t best = 0;
  std::size_t most = 0;
  for (std::size_t place = 0; place < places; ++place) {
    std::size_t sum = 0;
    for (const char byte : word.substr(place, fingerprints_.bytes)) sum += rarity(byte);
    if (sum <= most) continue;
    most = sum;
    best = place;
  }
  return best;
}

void WordFinder::add_fingerprint(std::string_view piece, std::size_t bucket) {
  const auto bit = static_cast<std::uint8_t>(1U << bucket);
  for (std::size_t place = 0; place < piece.size(); ++place) {
    for (std::size_t byte = 0; byte < folded_.size(); ++byte) {
      if (folded_[byte] != static_cast<std::uint8_t>(piece[place])) continue;
      fingerprints_.buckets[place][byte] |= bit;
      fingerprints_.of_low_bits[place][byte % 16] |= bit;
      fingerprints_.of_high_bits[place][byte / 16] |= bit;
    }
  }
}

bool WordFinder::is_at(const Word& word, std::string_view text, std::size_t begin) const {
  if (text.size() - begin < word.text.size()) return false;
  return std::ranges::equal(text.substr(begin, word.text.size()), word.text, [&](char of_text, char of_word) {
    return static_cast<char>(fold(of_text)) == of_word;
  });
}

std::optional<std::size_t> WordFinder::find(std::string_view text, std::size_t from) const {
  if (from >= text.size()) return std::nullopt;
  const auto* const begin = reinterpret_cast<const std::uint8_t*>(text.data());
  const std::uint8_t* const end = begin + text.size();
  for (const std::uint8_t* at = begin + from;; ++at) {
    at = find_fingerprint_(fingerprints_, at, end);
    if (at == end) return std::nullopt;
    const auto place = static_cast<std::size_t>(at - begin);
    for (unsigned found = fingerprints_.buckets_at(at); found != 0; found &= found - 1) {
      for (const Word& word : buckets_[static_cast<std::size_t>(__builtin_ctz(found))]) {
        if (place >= from + word.place && is_at(word, text, place - word.place)) return place - word.place;
      }
    }
  }
}

}  // namespace gsst::search
