#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gsst/search.h"
#include "library/arguments.hpp"
#include "library/arrow_matches.hpp"
#include "library/column_search.hpp"
#include "library/failure.hpp"
#include "library/frame_search.hpp"
#include "library/known_struct.hpp"
#include "library/options.hpp"
#include "search/strings/patterns.hpp"

// The functions of search.h: they check pointers and sizes, and turn exceptions into codes.

struct gsst_search_plan {
  gsst::search::Patterns patterns;
};

template <>
inline constexpr std::size_t gsst::library::first_struct_bytes<gsst_search_options> = 16;

namespace {

using gsst::library::check_not_null;
using gsst::library::report_errors;
using gsst::search::PatternKind;
using gsst::search::StringPattern;

PatternKind kind_of(std::uint32_t number) {
  switch (number) {
    case GSST_PATTERN_SUBSTRING:
      return PatternKind::substring;
    case GSST_PATTERN_PREFIX:
      return PatternKind::prefix;
    case GSST_PATTERN_SUFFIX:
      return PatternKind::suffix;
    case GSST_PATTERN_EQUALS:
      return PatternKind::equals;
    case GSST_PATTERN_LIKE:
      return PatternKind::like;
    case GSST_PATTERN_EXPRESSION:
      return PatternKind::expression;
    default:
      throw std::invalid_argument("kind is " + std::to_string(number) + ", expected a gsst_pattern_kind");
  }
}

StringPattern read_pattern(const gsst_pattern& given) {
  gsst::library::check_zero("reserved", given.reserved);
  const PatternKind kind = kind_of(given.kind);
  const auto bytes = gsst::library::input_span(given.bytes, given.size, "bytes");
  return {.kind = kind, .text = std::string(bytes.begin(), bytes.end())};
}

std::vector<StringPattern> read_patterns(std::span<const gsst_pattern> given) {
  std::vector<StringPattern> patterns;
  patterns.reserve(given.size());
  for (std::size_t i = 0; i < given.size(); ++i) {
    const std::string name = "pattern " + std::to_string(i) + ": ";
    try {
      patterns.push_back(read_pattern(given[i]));
    } catch (const gsst::library::ApiError& error) {
      throw gsst::library::ApiError(error.error(), name + error.what());
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument(name + error.what());
    }
  }
  return patterns;
}

gsst::search::StringPatternSettings read_settings(const gsst_search_options* options) {
  if (options == nullptr) return {};
  const gsst_search_options known = gsst::library::known_struct("options", options);
  gsst::library::check_flag("ignore_case", known.ignore_case);
  gsst::library::check_flag("utf8", known.utf8);
  gsst::library::check_zero("reserved", known.reserved);
  return {.ignore_case = known.ignore_case != 0, .utf8 = known.utf8 != 0};
}

using MoveToArray = void(gsst::library::ColumnMatches, ArrowSchema&, ArrowArray&);

gsst_error search_column(const gsst_search_plan* plan, const void* column, size_t column_bytes,
                         const gsst_decompress_options* options, gsst::library::MatchQuestion question,
                         MoveToArray& move_to_array, ArrowSchema* schema, ArrowArray* array, uint64_t* total,
                         gsst_message* message) {
  if (total != nullptr) *total = 0;
  return report_errors(message, [&] {
    check_not_null(plan, "plan");
    check_not_null(schema, "schema");
    check_not_null(array, "array");
    gsst::library::ColumnMatches found = gsst::library::find_in_column(
        plan->patterns, gsst::library::input_span(column, column_bytes, "column"),
        gsst::library::decompress_options(options), question);
    const uint64_t sum = std::accumulate(found.of_strings.begin(), found.of_strings.end(), std::uint64_t{0});
    move_to_array(std::move(found), *schema, *array);
    if (total != nullptr) *total = sum;
  });
}

}  // namespace

gsst_error gsst_search_plan_create(const gsst_pattern* patterns, size_t pattern_count,
                                   const gsst_search_options* options, gsst_search_plan** plan,
                                   gsst_message* message) {
  if (plan != nullptr) *plan = nullptr;
  return report_errors(message, [&] {
    check_not_null(static_cast<const void*>(plan), "plan");
    if (pattern_count != 0) check_not_null(patterns, "patterns");
    const auto settings = read_settings(options);
    const std::vector<StringPattern> read = read_patterns(std::span(patterns, pattern_count));
    auto made = std::make_unique<gsst_search_plan>(gsst_search_plan{gsst::search::Patterns(read, settings)});
    *plan = made.release();
  });
}

void gsst_search_plan_destroy(gsst_search_plan* plan) {
  const std::unique_ptr<gsst_search_plan> owned(plan);
}

gsst_error gsst_search_frame(const gsst_search_plan* plan, const void* frame, size_t frame_bytes,
                             const gsst_decompress_options* options, gsst_match* matches,
                             size_t match_capacity, uint64_t* match_count, gsst_message* message) {
  if (match_count != nullptr) *match_count = 0;
  return report_errors(message, [&] {
    check_not_null(plan, "plan");
    check_not_null(match_count, "match_count");
    const auto input = gsst::library::input_span(frame, frame_bytes, "frame");
    const std::span to(matches, matches == nullptr ? 0 : match_capacity);
    gsst::library::check_no_overlap(
        input, "frame", {reinterpret_cast<const std::uint8_t*>(to.data()), to.size_bytes()}, "matches");
    uint64_t count = 0;
    gsst::library::find_in_frame(plan->patterns, input, gsst::library::decompress_options(options),
                                 [&](std::uint64_t offset, std::uint64_t bytes) {
                                   if (count < to.size()) to[count] = {.offset = offset, .bytes = bytes};
                                   ++count;
                                 });
    *match_count = count;
    if (matches != nullptr && count > match_capacity) {
      throw gsst::library::ApiError(
          GSST_ERROR_OUTPUT_TOO_SMALL,
          "there are " + std::to_string(count) + " matches, and room for " + std::to_string(match_capacity));
    }
  });
}

gsst_error gsst_search_column(const gsst_search_plan* plan, const void* column, size_t column_bytes,
                              const gsst_decompress_options* options, ArrowSchema* schema, ArrowArray* array,
                              uint64_t* matching, gsst_message* message) {
  return search_column(plan, column, column_bytes, options, gsst::library::MatchQuestion::is_there,
                       gsst::library::move_to_booleans, schema, array, matching, message);
}

gsst_error gsst_search_column_counts(const gsst_search_plan* plan, const void* column, size_t column_bytes,
                                     const gsst_decompress_options* options, ArrowSchema* schema,
                                     ArrowArray* array, uint64_t* match_count, gsst_message* message) {
  return search_column(plan, column, column_bytes, options, gsst::library::MatchQuestion::count,
                       gsst::library::move_to_counts, schema, array, match_count, message);
}
