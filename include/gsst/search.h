/// @file
/// Searching what frames and columns hold, as C functions, on the CPU.
///
/// A search plan is made of patterns once and searches any number of frames and columns, by several threads
/// at once. Format tiles is searched on its codes where every match has one of at most 8 words in it, such as
/// the pattern itself or a string that stands in it: most of the text is not decoded then. All else is
/// decoded, a few blocks at a time. What gsst.h says of memory and threads holds here too; but the memory of
/// an array that leaves the library is the library's, until the array's release function is called.
#ifndef GSST_SEARCH_H
#define GSST_SEARCH_H

#include "gsst/column.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What a pattern matches in a string: a string of a column, or a line of a frame's text without its line
/// end.
typedef enum gsst_pattern_kind {
  /// Its bytes anywhere. If all patterns of a plan are of this kind, the text of a frame is one string, so
  /// that they may have line ends.
  GSST_PATTERN_SUBSTRING = 1,
  /// Its bytes at the start.
  GSST_PATTERN_PREFIX = 2,
  /// Its bytes at the end.
  GSST_PATTERN_SUFFIX = 3,
  /// All of a string that has the same bytes.
  GSST_PATTERN_EQUALS = 4,
  /// All of a string that SQL's LIKE matches: % is any number of bytes, _ is one character, a backslash makes
  /// the byte behind it stand for itself.
  GSST_PATTERN_LIKE = 5,
  /// A regular expression in the syntax of RE2, where ^ and $ are the ends of a string. Back-references and
  /// named captures are refused; parentheses group. Refused in a library that was built without RE2.
  GSST_PATTERN_EXPRESSION = 6
} gsst_pattern_kind;

/// A pattern.
typedef struct gsst_pattern {
  /// `size` bytes, of any values; may be null if there are none.
  const void* bytes;
  /// How many, 0 or more. A pattern without bytes matches everywhere or, of kinds equals and like, the empty
  /// string.
  size_t size;
  /// A gsst_pattern_kind.
  uint32_t kind;
  /// 0.
  uint32_t reserved;
} gsst_pattern;

/// How patterns match. 0 in a field takes the default.
typedef struct gsst_search_options {
  /// sizeof(gsst_search_options).
  uint32_t struct_bytes;
  /// 1: letters match in both cases, those of ASCII or, with `utf8`, those of Unicode by its simple folding;
  /// of expressions on bytes also those of Latin-1.
  uint32_t ignore_case;
  /// 1: a character is one of UTF-8, as pyarrow has it for strings. Default: a byte.
  uint32_t utf8;
  /// 0.
  uint32_t reserved;
} gsst_search_options;

/// Where a match is in what a frame decompresses to.
typedef struct gsst_match {
  /// From the start of the decompressed bytes to the match's first byte.
  uint64_t offset;
  /// Bytes of the match, 1 or more.
  uint64_t bytes;
} gsst_match;

/// Patterns, made ready to search.
typedef struct gsst_search_plan gsst_search_plan;

/// Makes a plan that finds what any of the patterns matches.
/// `patterns`: `pattern_count` of them, not needed any longer after the call; may be null if there are none,
/// and then nothing matches. `options`: null takes every default. `plan`: receives the plan, or null after an
/// error; gsst_search_plan_destroy() frees it. `message`: may be null; names the pattern and, where it is
/// known, the byte that is wrong. Errors: null_pointer, invalid_argument (a pattern, an option),
/// out_of_memory.
GSST_API gsst_error gsst_search_plan_create(const gsst_pattern* patterns, size_t pattern_count,
                                            const gsst_search_options* options, gsst_search_plan** plan,
                                            gsst_message* message);

/// Frees `plan`, which may be null.
GSST_API void gsst_search_plan_destroy(gsst_search_plan* plan);

/// Counts the matches in a frame of any format, or in a file of GSST_FORMAT_FSST, and says where they are.
/// Of matches that overlap, the leftmost counts, and of those that begin there the longest; the next one
/// begins at its end or later, as `gsst grep -o` has it. Matches without bytes do not count.
/// `frame`: the whole frame of `frame_bytes` bytes and nothing more. `options`: as for
/// gsst_decompress_plan_create(); null takes every default. `matches`: receives the matches in order; null
/// counts alone. `match_capacity`: how many there is room for. `match_count`: receives the number of all
/// matches, also after output_too_small; 0 after any other error. `message`: may be null.
/// Checks the frame and the header of every block, checksums of the blocks that are decoded alone, and what
/// codes decode to only where it looks at them. Allocates memory for 4 MiB of text, or one block if that is
/// more, for each thread; a line has to fit, unless all patterns are substrings.
/// Errors: null_pointer, invalid_argument (an option), output_too_small (there are more matches than room:
/// `matches` has the first ones), wrong_format, unsupported_version, damaged, wrong_checksum, out_of_memory.
GSST_API gsst_error gsst_search_frame(const gsst_search_plan* plan, const void* frame, size_t frame_bytes,
                                      const gsst_decompress_options* options, gsst_match* matches,
                                      size_t match_capacity, uint64_t* match_count, gsst_message* message);

/// Says which strings of a column have a match, as an Arrow array of booleans that is null where the string
/// is. Each string is searched by itself: no match reaches from one to the next.
/// `column`: one column of `column_bytes` bytes and nothing more. `options`: as for
/// gsst_search_frame(). `schema`, `array`: memory of the caller, whose contents are overwritten; each is
/// released by its own release function. Unchanged after an error. `matching`: receives how many strings have
/// a match, 0 after an error; may be null. `message`: may be null. What is checked is as for
/// gsst_search_frame(). Allocates 16 bytes for each string beside what blocks in work take. Errors:
/// null_pointer, invalid_argument (an option), wrong_format, unsupported_version, damaged, wrong_checksum,
/// out_of_memory.
GSST_API gsst_error gsst_search_column(const gsst_search_plan* plan, const void* column, size_t column_bytes,
                                       const gsst_decompress_options* options, struct ArrowSchema* schema,
                                       struct ArrowArray* array, uint64_t* matching, gsst_message* message);

/// Counts the matches in each string of a column, which are those of gsst_search_frame() with the string as
/// the text. The array is of int32, or of int64 for a column of large_string or large_binary, and null where
/// the string is. All else is as for gsst_search_column().
/// `match_count`: receives the number of all matches, 0 after an error; may be null.
GSST_API gsst_error gsst_search_column_counts(const gsst_search_plan* plan, const void* column,
                                              size_t column_bytes, const gsst_decompress_options* options,
                                              struct ArrowSchema* schema, struct ArrowArray* array,
                                              uint64_t* match_count, gsst_message* message);

#ifdef __cplusplus
}
#endif

#endif
