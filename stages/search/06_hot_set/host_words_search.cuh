#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "common/format/error.hpp"
#include "common/stage/copies.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/plans_of_stage.hpp"
#include "cpu/tiles/block_decoder.hpp"
#include "search/codes/code_reader.hpp"
#include "search/codes/literal.hpp"
#include "search/codes/window.hpp"
#include "search/codes/words_automaton.hpp"
#include "stages/search/06_hot_set/hot_groups.hpp"
#include "stages/search/06_hot_set/searched_words.hpp"
#include "stages/search/shared/host_code_search.cuh"
#include "stages/search/shared/words_question.hpp"

// Plans of searches for several words. After launch.hpp, which gives the kernels CUDA's words where the
// compiler has none.
namespace gsst::search::kernels {
namespace {

// Text from a frame's start, and the codes that it begins with.
struct SampleOfFrame {
  std::vector<std::uint8_t> text;
  std::vector<SampledCode> codes;
};

inline SampleOfFrame sample_of_block(const SearchedBlock& block, std::vector<std::uint8_t> payload) {
  constexpr std::size_t most_text_bytes = std::size_t{1} << 20;
  constexpr std::size_t most_codes = 8192;
  SampleOfFrame sample;
  if (block.is_raw()) {
    sample.text = std::move(payload);
    sample.text.resize(std::min(most_text_bytes, sample.text.size()));
    for (const std::uint8_t byte : std::span(sample.text).first(std::min(most_codes, sample.text.size()))) {
      sample.codes.push_back({.symbol = byte, .length = 1});
    }
    return sample;
  }
  const format::TilesHeader header(payload.data());
  const auto table = cpu::tiles::read_code_table(header);
  const codes::CodeReader reader(header, *table, 0);
  const std::size_t count = std::min<std::size_t>(most_codes, block.code_count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t code = reader.code(i);
    const bool is_half = reader.has_halves() && code < block.first_stored_code;
    // Halves of bytes have to be verified, whatever the groups are.
    if (!is_half) sample.codes.push_back({.symbol = table->symbols[code], .length = table->lengths[code]});
  }
  try {
    reader.append_text(0, 0, most_text_bytes, sample.text);
  } catch (const format::FormatError&) {
    sample.text.clear();
  }
  return sample;
}

// The words that the question has, each once. Throws std::invalid_argument for none, too many or an empty
// one.
inline std::vector<codes::Literal> literals_of(const WordsQuestion& question) {
  std::vector<codes::Literal> literals;
  std::size_t bytes = 0;
  for (const std::string& word : question.words) {
    codes::Literal literal(std::span(reinterpret_cast<const std::uint8_t*>(word.data()), word.size()),
                           question.ignore_case);
    const auto is_same = [&](const codes::Literal& one) {
      return std::ranges::equal(one.bytes(), literal.bytes());
    };
    if (std::ranges::any_of(literals, is_same)) continue;
    bytes += literal.size();
    literals.push_back(std::move(literal));
  }
  if (literals.empty() || literals.size() > most_words || bytes > most_pattern_bytes) {
    throw std::invalid_argument("a search is for 1 to " + std::to_string(most_words) + " words of up to " +
                                std::to_string(most_pattern_bytes) + " bytes together, not " +
                                std::to_string(literals.size()) + " of " + std::to_string(bytes));
  }
  return literals;
}

// What the kernels get of `literals`, one or more.
inline SearchedWords searched_words(std::span<const codes::Literal> literals, const SampleOfFrame& sample) {
  SearchedWords searched{};
  std::vector<codes::Window> windows;
  for (std::size_t byte = 0; byte < 256; ++byte) {
    searched.fold[byte] = literals.front().fold(static_cast<std::uint8_t>(byte));
  }
  std::uint32_t begin = 0;
  for (const codes::Literal& literal : literals) {
    const codes::Window& window =
        windows.emplace_back(codes::choose_window(literal, most_window_bytes, sample.text));
    SearchedWord& word = searched.words[searched.count];
    word = {.window = 0,
            .window_mask = 0,
            .window_bytes = static_cast<std::uint32_t>(window.bytes.size()),
            .window_end = static_cast<std::uint32_t>(window.begin + window.bytes.size()),
            .begin = begin,
            .bytes = static_cast<std::uint32_t>(literal.size())};
    for (const std::uint8_t byte : window.bytes) {
      word.window = word.window << 8 | byte;
      word.window_mask = word.window_mask << 8 | 0xff;
    }
    for (std::size_t byte = 0; byte < 256; ++byte) {
      if (searched.fold[byte] != window.bytes.back()) continue;
      searched.ending_with[byte] =
          static_cast<std::uint16_t>(searched.ending_with[byte] | 1u << searched.count);
    }
    std::ranges::copy(literal.bytes(), searched.bytes + begin);
    begin += word.bytes;
    ++searched.count;
  }
  const codes::WordsAutomaton automaton(literals, windows);
  const HotGroups groups(automaton, sample.codes);
  searched.states = static_cast<std::uint32_t>(automaton.size());
  for (std::size_t state = 0; state < automaton.size(); ++state) {
    searched.group_of[state] = groups.groups()[state];
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::size_t next = automaton.next(state, static_cast<std::uint8_t>(byte));
      searched.next[state][byte] =
          next == automaton.size() ? std::uint8_t{window_ended} : static_cast<std::uint8_t>(next);
    }
  }
  return searched;
}

// Plans of searches for several words: those of one pattern, the first word, whose kernels find all words in
// front of that pattern in their state.
template <typename Kernels>
class WordsSearchPlan : public CodeSearchPlan<Kernels> {
public:
  // `description` outlives the plan. Throws std::invalid_argument, which names the stage.
  WordsSearchPlan(const stage::Description& description, const stage::QuerySubject& subject,
                  std::vector<codes::Literal> literals)
      : CodeSearchPlan<Kernels>(description, of_one_pattern(subject, literals.front())),
        literals_(std::move(literals)),
        has_raw_blocks_(subject.frames[0].has_raw_blocks) {
    const std::span<const stage::Part> parts = CodeSearchPlan<Kernels>::parts();
    parts_.assign(parts.begin(), parts.end());
    parts_[state_part].bytes += searched_words_bytes;
  }

  std::span<const stage::Part> parts() const override { return parts_; }

  void prepare(std::span<const stage::Given> given, stage::Stream stream) const override {
    if (this->frame_.block_count == 0) return;
    const auto of_pattern = after_words(given);
    CodeSearchPlan<Kernels>::prepare(of_pattern, stream);
    std::vector<SearchedBlock> first(1);
    stage::copy_to_host(std::span(first), this->search_in(of_pattern).blocks, stream);
    std::vector<std::uint8_t> payload(first[0].payload_bytes);
    stage::copy_to_host(std::span(payload),
                        static_cast<const std::uint8_t*>(given[0].data) + first[0].payload, stream);
    const auto words = std::make_unique<const SearchedWords>(
        searched_words(literals_, sample_of_block(first[0], std::move(payload))));
    stage::copy_to_executor(static_cast<SearchedWords*>(given[state_part].data), std::span(words.get(), 1),
                            stream);
  }

  void enqueue(std::span<const stage::Given> given, stage::Stream stream, std::size_t phase) const override {
    const auto of_pattern = after_words(given);
    CodeSearchPlan<Kernels>::enqueue(of_pattern, stream, phase);
    if (!has_raw_blocks_) return;
    stage::launch({.thread_blocks = std::min(this->frame_.block_count, 1024u),
                   .threads_per_block = 256,
                   .shared_bytes = 0,
                   .stream = stream},
                  Kernels::raw_blocks, this->search_in(of_pattern));
  }

private:
  static constexpr std::size_t state_part = 3;
  static constexpr std::size_t part_count = 6;

  // Raw blocks are this plan's own.
  static stage::QuerySubject of_one_pattern(stage::QuerySubject subject, const codes::Literal& pattern) {
    subject.question.assign(pattern.bytes().begin(), pattern.bytes().end());
    for (stage::FrameOnDevice& frame : subject.frames) frame.has_raw_blocks = false;
    return subject;
  }

  // The memory without the words.
  static std::array<stage::Given, part_count> after_words(std::span<const stage::Given> given) {
    std::array<stage::Given, part_count> rest{};
    std::ranges::copy(given.first(part_count), rest.begin());
    rest[state_part].data = static_cast<std::uint8_t*>(rest[state_part].data) + searched_words_bytes;
    rest[state_part].bytes -= searched_words_bytes;
    return rest;
  }

  const std::vector<codes::Literal> literals_;
  const bool has_raw_blocks_;
  std::vector<stage::Part> parts_;
};

// The plans of a stage that searches for several words. `Kernels` has what CodeSearchPlan says, and
// `raw_blocks`, a SearchKernel.
template <typename Kernels>
stage::QueryPlans words_search_plans(const stage::Description& description) {
  return {.reads = [](format::BlockFormat format) { return format == format::BlockFormat::tiles; },
          .make = [&description](const stage::QuerySubject& subject) -> std::unique_ptr<stage::Plan> {
            std::vector<codes::Literal> literals;
            try {
              literals = literals_of(read_words_question(subject.question));
            } catch (const std::invalid_argument& error) {
              refuse_search(description, error.what());
            }
            return std::make_unique<WordsSearchPlan<Kernels>>(description, subject, std::move(literals));
          }};
}

}  // namespace
}  // namespace gsst::search::kernels
