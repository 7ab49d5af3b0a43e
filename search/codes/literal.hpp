#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

/// Search of text in format tiles (FORMAT.md, section 9) on its codes: most of the text is never decoded.
namespace gsst::search::codes {

/// A string of bytes to find.
class Literal {
public:
  /// With `ignore_case` letters of ASCII match in both cases. Throws std::invalid_argument if `bytes` is
  /// empty: that matches everywhere, and there is nothing to search.
  explicit Literal(std::span<const std::uint8_t> bytes, bool ignore_case = false);

  /// What has to be equal to the text's bytes, once fold() was applied to these.
  std::span<const std::uint8_t> bytes() const { return bytes_; }
  std::size_t size() const { return bytes_.size(); }
  bool ignores_case() const { return ignore_case_; }
  /// The byte that stands for all that match where `byte` does.
  std::uint8_t fold(std::uint8_t byte) const { return folded_[byte]; }
  /// fold() of each byte of `text`, in place.
  void fold_text(std::span<std::uint8_t> text) const;

  /// Where the first match in `folded`, a text after fold_text(), begins, not before `from`.
  std::optional<std::size_t> find(std::span<const std::uint8_t> folded, std::size_t from) const;

private:
  bool ignore_case_;
  std::array<std::uint8_t, 256> folded_{};
  std::vector<std::uint8_t> bytes_;
};

}  // namespace gsst::search::codes
