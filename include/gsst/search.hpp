#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "gsst/column.hpp"
#include "gsst/search.h"

/// @file
/// Searching in C++20, over the C functions of search.h: what is said there holds here too.

namespace gsst {

/// What a pattern matches in a string; see gsst_pattern_kind.
enum class PatternKind : std::uint32_t {
  /// Its bytes anywhere.
  substring = GSST_PATTERN_SUBSTRING,
  /// Its bytes at the start.
  prefix = GSST_PATTERN_PREFIX,
  /// Its bytes at the end.
  suffix = GSST_PATTERN_SUFFIX,
  /// All of a string that has the same bytes.
  equals = GSST_PATTERN_EQUALS,
  /// All of a string that SQL's LIKE matches.
  like = GSST_PATTERN_LIKE,
  /// A regular expression in the syntax of RE2.
  expression = GSST_PATTERN_EXPRESSION,
};

/// A pattern. Refers to its bytes.
struct Pattern {
  /// Its bytes, of any values.
  std::string_view text;
  /// What it matches.
  PatternKind kind = PatternKind::substring;
};

/// How patterns match; see gsst_search_options.
struct SearchOptions {
  /// Letters match in both cases.
  bool ignore_case = false;
  /// A character is one of UTF-8, not a byte.
  bool utf8 = false;
};

/// Where a match is in what a frame decompresses to.
using Match = gsst_match;

/// What a search found in the strings of a column.
struct FoundStrings {
  /// Of booleans or numbers, null where the string is.
  OwnedArray array;
  /// How many strings have a match, or the number of all matches.
  std::uint64_t total = 0;
};

namespace detail {

struct DestroySearchPlan {
  void operator()(gsst_search_plan* plan) const { gsst_search_plan_destroy(plan); }
};

}  // namespace detail

/// Patterns, made ready to search. Can be used by several threads at once.
class SearchPlan {
public:
  /// Makes a plan that finds what any of `patterns` matches. Errors: gsst_search_plan_create().
  static Result<SearchPlan> create(std::span<const Pattern> patterns, const SearchOptions& options = {}) {
    std::vector<gsst_pattern> c_patterns;
    c_patterns.reserve(patterns.size());
    for (const Pattern& pattern : patterns) {
      c_patterns.push_back({.bytes = pattern.text.data(),
                            .size = pattern.text.size(),
                            .kind = static_cast<std::uint32_t>(pattern.kind),
                            .reserved = 0});
    }
    auto c_options = detail::sized<gsst_search_options>();
    c_options.ignore_case = options.ignore_case ? 1 : 0;
    c_options.utf8 = options.utf8 ? 1 : 0;
    gsst_search_plan* plan = nullptr;
    gsst_message message;
    const gsst_error error =
        gsst_search_plan_create(c_patterns.data(), c_patterns.size(), &c_options, &plan, &message);
    if (error != GSST_OK) return detail::failure(error, message);
    return SearchPlan(plan);
  }

  /// The same for one pattern.
  static Result<SearchPlan> create(const Pattern& pattern, const SearchOptions& options = {}) {
    return create(std::span(&pattern, 1), options);
  }

  /// The number of matches in a frame. Errors: gsst_search_frame().
  Result<std::uint64_t> count(std::span<const std::byte> frame, const DecompressOptions& options = {}) const {
    std::uint64_t count = 0;
    gsst_message message;
    const gsst_decompress_options c_options = detail::c_options(options);
    const gsst_error error =
        gsst_search_frame(plan_.get(), frame.data(), frame.size(), &c_options, nullptr, 0, &count, &message);
    if (error != GSST_OK) return detail::failure(error, message);
    return count;
  }

  /// The matches in a frame, in order, in memory that is allocated here. Searches again if there are more
  /// than `expected`. Errors: gsst_search_frame().
  Result<std::vector<Match>> find(std::span<const std::byte> frame, const DecompressOptions& options = {},
                                  std::size_t expected = 1024) const {
    std::vector<Match> matches(expected == 0 ? 1 : expected);
    const gsst_decompress_options c_options = detail::c_options(options);
    for (;;) {
      std::uint64_t count = 0;
      gsst_message message;
      const gsst_error error = gsst_search_frame(plan_.get(), frame.data(), frame.size(), &c_options,
                                                 matches.data(), matches.size(), &count, &message);
      if (error != GSST_OK && error != GSST_ERROR_OUTPUT_TOO_SMALL) return detail::failure(error, message);
      matches.resize(count);
      if (error == GSST_OK) return matches;
    }
  }

  /// Which strings of a column have a match, as booleans. Errors: gsst_search_column().
  Result<FoundStrings> match_column(std::span<const std::byte> column,
                                    const DecompressOptions& options = {}) const {
    return search_column(gsst_search_column, column, options);
  }

  /// How many matches each string of a column has. Errors: gsst_search_column_counts().
  Result<FoundStrings> count_in_column(std::span<const std::byte> column,
                                       const DecompressOptions& options = {}) const {
    return search_column(gsst_search_column_counts, column, options);
  }

private:
  explicit SearchPlan(gsst_search_plan* plan) : plan_(plan) {}

  Result<FoundStrings> search_column(decltype(gsst_search_column)& search, std::span<const std::byte> column,
                                     const DecompressOptions& options) const {
    FoundStrings found;
    gsst_message message;
    const gsst_decompress_options c_options = detail::c_options(options);
    const gsst_error error = search(plan_.get(), column.data(), column.size(), &c_options,
                                    &found.array.schema(), &found.array.array(), &found.total, &message);
    if (error != GSST_OK) return detail::failure(error, message);
    return Result<FoundStrings>(std::move(found));
  }

  std::unique_ptr<gsst_search_plan, detail::DestroySearchPlan> plan_;
};

}  // namespace gsst
