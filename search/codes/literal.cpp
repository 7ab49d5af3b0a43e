#include "search/codes/literal.hpp"

#include <cstring>
#include <stdexcept>

namespace gsst::search::codes {

Literal::Literal(std::span<const std::uint8_t> bytes, bool ignore_case)
    : ignore_case_(ignore_case), bytes_(bytes.begin(), bytes.end()) {
  if (bytes.empty()) throw std::invalid_argument("Literal: an empty string matches everywhere");
  for (std::size_t byte = 0; byte < folded_.size(); ++byte) {
    const bool is_upper = byte >= 'A' && byte <= 'Z';
    folded_[byte] = static_cast<std::uint8_t>(ignore_case && is_upper ? byte + ('a' - 'A') : byte);
  }
  fold_text(bytes_);
}

void Literal::fold_text(std::span<std::uint8_t> text) const {
  if (!ignore_case_) return;
  for (std::uint8_t& byte : text) byte = folded_[byte];
}

std::optional<std::size_t> Literal::find(std::span<const std::uint8_t> folded, std::size_t from) const {
  if (from >= folded.size()) return std::nullopt;
  const void* const found =
      ::memmem(folded.data() + from, folded.size() - from, bytes_.data(), bytes_.size());
  if (found == nullptr) return std::nullopt;
  return static_cast<std::size_t>(static_cast<const std::uint8_t*>(found) - folded.data());
}

}  // namespace gsst::search::codes
