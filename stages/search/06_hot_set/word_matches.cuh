#pragma once

#include <cstdint>

#include "stages/search/06_hot_set/hot_words.cuh"
#include "stages/search/06_hot_set/searched_words.hpp"
#include "stages/search/shared/candidate_queue.cuh"
#include "stages/search/shared/lane_codes.cuh"
#include "stages/search/shared/matches.cuh"
#include "stages/search/shared/queued_steps.cuh"
#include "stages/search/shared/rare_call.hpp"
#include "stages/search/shared/search_on_device.hpp"
#include "stages/search/shared/text_walk.cuh"

// Looks for whole words where their windows may end, byte by byte. A match belongs to the code that puts out
// the last byte of its window, as in other stages.
namespace gsst::search::kernels {
namespace {

__device__ __forceinline__ bool is_byte_of_word(const SearchedWords& words, std::int32_t byte,
                                                std::uint32_t place) {
  return byte != no_byte && words.fold[byte] == words.bytes[place];
}

// Whether `word` is around its window, whose last byte `after` has just read.
__device__ inline bool is_word_around(const SearchOnDevice& search, const SearchedWords& words,
                                      const SearchedWord& word, const TextAfter& after) {
  const std::uint32_t window_begin = word.window_end - word.window_bytes;
  if (window_begin != 0) {
    TextBefore before(search, after.block(), after.code());
    for (std::uint32_t i = 0; i < after.left() + word.window_bytes; ++i) before.next();
    for (std::uint32_t i = window_begin; i > 0; --i) {
      if (!is_byte_of_word(words, before.next(), word.begin + i - 1)) return false;
    }
  }
  TextAfter rest = after;
  for (std::uint32_t i = word.window_end; i < word.bytes; ++i) {
    if (!is_byte_of_word(words, rest.next(), word.begin + i)) return false;
  }
  return true;
}

// The last bytes of a text, folded, and whether they are a window.
class FoldedBytes {
public:
  __device__ explicit FoldedBytes(const SearchedWords& words) : words_(words) {}

  // Bytes of the text before the first one that add() gets, as many as may matter.
  __device__ void begin(TextBefore before) {
    for (; known_ + 1 < most_window_bytes; ++known_) {
      const std::int32_t byte = before.next();
      if (byte == no_byte) return;
      bytes_ |= std::uint64_t{words_.fold[byte]} << (8 * known_);
    }
  }
  __device__ __forceinline__ void add(std::int32_t byte) {
    bytes_ = bytes_ << 8 | words_.fold[byte];
    ++known_;
  }
  __device__ __forceinline__ bool is_window(const SearchedWord& word) const {
    return (bytes_ & word.window_mask) == word.window && known_ >= word.window_bytes;
  }

private:
  const SearchedWords& words_;
  std::uint64_t bytes_ = 0;
  std::uint32_t known_ = 0;
};

// Goes through the matches of all words that belong to codes `begin` to before `end` of block `block`, of a
// raw block bytes, until `found` returns true: it gets how many bytes the word begins after the output of
// code `begin`, which is negative where it begins before.
template <typename Found>
__device__ __forceinline__ void for_each_word(const SearchOnDevice& search, std::uint32_t block,
                                              std::uint32_t begin, std::uint32_t end, Found found) {
  const SearchedWords& words = words_of(search);
  const SearchedBlock& searched = search.blocks[block];
  if (end > searched.code_count) end = searched.code_count;
  if (begin >= end) return;
  FoldedBytes bytes(words);
  bytes.begin(TextBefore(search, block, begin));
  TextAfter after(search, block, begin);
  for (std::int64_t read = 1;; ++read) {
    const std::int32_t byte = after.next();
    if (byte == no_byte || after.block() != block || after.code() > end) return;
    bytes.add(byte);
    const std::uint32_t ending = words.ending_with[byte];
    for (std::uint32_t i = 0; ending >> i != 0; ++i) {
      const SearchedWord& word = words.words[i];
      if ((ending >> i & 1) == 0 || !bytes.is_window(word)) continue;
      if (is_word_around(search, words, word, after) && found(read - std::int64_t{word.window_end})) return;
    }
  }
}

// Finds these matches. `begin_offset` is where in the block's text the output of code `begin` starts; it
// matters for positions only.
__device__ GSST_RARE_CALL void find_words(const SearchOnDevice& search, std::uint32_t block,
                                          std::uint32_t begin, std::uint32_t end, std::uint32_t begin_offset,
                                          LaneMatches& matches) {
  const std::uint64_t position = search.blocks[block].text_begin + begin_offset;
  for_each_word(search, block, begin, end, [&](std::int64_t after_begin) {
    matches.add(position + static_cast<std::uint64_t>(after_begin));
    return false;
  });
}

// Whether there is one.
__device__ GSST_RARE_CALL bool has_word(const SearchOnDevice& search, std::uint32_t block,
                                        std::uint32_t begin, std::uint32_t end) {
  bool has_one = false;
  for_each_word(search, block, begin, end, [&](std::int64_t /*after_begin*/) {
    has_one = true;
    return true;
  });
  return has_one;
}

// Looks for the words in the codes of the first `count` candidates of the warp's queue, at most one a lane.
// Where a candidate is in the text is looked up only for those that have a match: that takes longer.
template <std::uint32_t CodeBits, std::uint32_t CodesPerLane, bool Aligned>
__device__ GSST_RARE_CALL void verify_words(const SearchOnDevice& search, Candidate* queue,
                                            std::uint32_t count, LaneMatches& matches) {
  constexpr std::uint32_t tile_codes = LaneCodes<CodeBits, CodesPerLane>::shape().codes();
  const std::uint32_t lane = threadIdx.x % 32;
  const auto first_code = [](const Candidate& candidate) {
    return candidate.tile() * tile_codes + candidate.lane() * CodesPerLane;
  };
  __syncwarp();
  Candidate candidate{};
  if (lane < count) candidate = queue[lane];
  std::uint32_t offset = 0;
  if (search.answer.positions != nullptr) {
    bool has_one = false;
    if (lane < count) {
      const std::uint32_t first = first_code(candidate);
      has_one = has_word(search, candidate.block, first + candidate.before_window(), first + CodesPerLane);
    }
    __syncwarp();
    count = keep_candidates(queue, count, candidate, has_one);
    if (lane < count) candidate = queue[lane];
    offset = candidate_offset<CodeBits, CodesPerLane, Aligned>(search, candidate, count);
  }
  if (lane < count) {
    const std::uint32_t first = first_code(candidate);
    find_words(search, candidate.block, first + candidate.before_window(), first + CodesPerLane, offset,
               matches);
  }
  __syncwarp();
  matches.write_waiting(lane);
}

// The automaton of all words, for QueuedSteps.
template <std::uint32_t CodeBits, std::uint32_t CodesPerLane, bool Aligned>
class WordsOnCodes {
public:
  __device__ explicit WordsOnCodes(const SearchOnDevice& search) : search_(search) {}

  __device__ __forceinline__ std::uint32_t word(std::uint32_t /*code*/, const CodeOutput& output) const {
    return hot_word(words_of(search_), output);
  }
  __device__ __forceinline__ std::uint32_t place_before_block(std::uint32_t block) const {
    return kernels::place_before_block(search_, block);
  }
  __device__ __forceinline__ void verify(Candidate* queue, std::uint32_t count, LaneMatches& matches) const {
    verify_words<CodeBits, CodesPerLane, Aligned>(search_, queue, count, matches);
  }

private:
  const SearchOnDevice& search_;
};

}  // namespace
}  // namespace gsst::search::kernels
