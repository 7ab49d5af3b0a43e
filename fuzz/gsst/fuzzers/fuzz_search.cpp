#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/format/gsst/string_column.hpp"
#include "fuzz/frame_mutator.hpp"
#include "gsst/search.hpp"

// Arbitrary bytes as a frame into the library's search, by itself and as that of a column. What decodes is
// searched, and has the matches that its text has; all else gives a status.

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace {

using Bytes = std::vector<std::uint8_t>;

// A search of much more text is slow, and shows nothing else.
constexpr std::uint64_t most_text_bytes = std::uint64_t{1} << 20;
constexpr gsst::DecompressOptions without_checksums = {.skip_checksums = true};

std::span<const std::byte> as_bytes(std::span<const std::uint8_t> bytes) {
  return std::as_bytes(bytes);
}

void require_of_search(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

// The same number for the same input.
std::size_t number_of(std::span<const std::uint8_t> input) {
  return std::accumulate(input.begin(), input.end(), std::size_t{5381},
                         [](std::size_t sum, std::uint8_t byte) { return sum * 33 + byte; });
}

std::uint64_t count_in(std::string_view text, std::string_view word) {
  std::uint64_t count = 0;
  for (std::size_t at = text.find(word); at != std::string_view::npos;
       at = text.find(word, at + word.size())) {
    ++count;
  }
  return count;
}

// A column of strings of `string_bytes` each, but for the last one, with the frame as it is.
Bytes column_around(std::span<const std::uint8_t> frame, std::uint64_t text_bytes,
                    std::uint64_t string_bytes) {
  const gsst::format::ColumnType type = {.kind = gsst::format::StringKind::text, .offset_width = 8};
  gsst::format::StringColumnWriter writer(type);
  for (std::uint64_t left = text_bytes; left != 0;) {
    const std::uint64_t bytes = std::min(left, string_bytes);
    writer.add_string(bytes);
    left -= bytes;
  }
  const auto header = gsst::format::build_column_header(type);
  Bytes column(header.begin(), header.end());
  column.insert(column.end(), frame.begin(), frame.end());
  const Bytes end = writer.finish(frame.size());
  column.insert(column.end(), end.begin(), end.end());
  return column;
}

void check_search(std::span<const std::uint8_t> frame) {
  const auto info = gsst::inspect(as_bytes(frame));
  if (info && info->uncompressed_bytes > most_text_bytes) return;
  const auto decoded = gsst::decompress(as_bytes(frame), without_checksums);
  const std::string text = decoded
                               ? std::string(reinterpret_cast<const char*>(decoded->data()), decoded->size())
                               : std::string("the text");
  const std::size_t number = number_of(frame);
  const std::string word = text.substr(text.empty() ? 0 : number % text.size(), 1 + number / 7 % 9);
  const auto plan = gsst::SearchPlan::create(gsst::Pattern{.text = word});
  require_of_search(plan.has_value(), "a plan is refused");
  const auto count = plan->count(as_bytes(frame), without_checksums);
  require_of_search(count || count.failure().error != gsst::Error::internal, "a search fails in another way");
  // Of first halves of bytes a search takes fewer in a row than decoders do.
  if (decoded && count) {
    require_of_search(*count == (word.empty() ? 0 : count_in(text, word)),
                      "the count is not that of the text");
  }
  if (!info) return;
  const std::uint64_t string_bytes = 1 + number / 3 % 5000;
  const Bytes column = column_around(frame, info->uncompressed_bytes, string_bytes);
  const auto found = plan->count_in_column(as_bytes(column), without_checksums);
  require_of_search(found || found.failure().error != gsst::Error::internal, "a search fails in another way");
  if (!decoded || !found) return;
  std::uint64_t expected = 0;
  for (std::size_t at = 0; at < text.size() && !word.empty(); at += string_bytes) {
    expected += count_in(std::string_view(text).substr(at, string_bytes), word);
  }
  require_of_search(found->total == expected, "the counts are not those of the strings");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  check_search({data, size});
  check_search(gsst::fuzz::with_repaired_outputs({data, size}));
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  const Bytes mutated = gsst::fuzz::mutate_frame({data, size}, seed, LLVMFuzzerMutate);
  const std::size_t kept = std::min(mutated.size(), max_size);
  std::copy_n(mutated.begin(), kept, data);
  return kept;
}
