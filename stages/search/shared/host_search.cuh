#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/format/block_format.hpp"
#include "common/format/block_status.hpp"
#include "common/format/error.hpp"
#include "common/format/gsst/tiles.hpp"
#include "common/stage/block_statuses.hpp"
#include "common/stage/copies.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/plans_of_stage.hpp"
#include "common/stage/scratch_layout.hpp"
#include "cpu/tiles/block_decoder.hpp"
#include "search/codes/code_reader.hpp"
#include "search/codes/literal.hpp"
#include "search/codes/window.hpp"
#include "search/codes/window_automaton.hpp"
#include "stages/search/shared/describe_blocks.cuh"
#include "stages/search/shared/search_on_device.hpp"

// Plans of stages that search the text of a frame. After launch.hpp, which gives the kernels CUDA's words
// where the compiler has none.
namespace gsst::search::kernels {
namespace {

using stage::Role;

[[noreturn]] inline void refuse_search(const stage::Description& description, const std::string& why) {
  throw std::invalid_argument("stage " + description.id + ": " + why);
}

// The frame that is searched. Throws std::invalid_argument, which names the stage, if there is no search in
// the subject.
inline const stage::FrameOnDevice& searched_frame(const stage::Description& description,
                                                  const stage::QuerySubject& subject) {
  stage::check_parameters(description, subject.parameters);
  if (subject.frames.size() != 1 || subject.frames[0].format != format::BlockFormat::tiles) {
    refuse_search(description, "a search is that of one frame of format tiles");
  }
  if (subject.question.empty() || subject.question.size() > most_pattern_bytes) {
    refuse_search(description, "a pattern has 1 to " + std::to_string(most_pattern_bytes) + " bytes, not " +
                                   std::to_string(subject.question.size()));
  }
  return subject.frames[0];
}

// What the host makes of a pattern. `sample` is text like that of the frame; it may be empty.
inline Pattern pattern_on_device(const codes::Literal& literal, std::uint32_t window_bytes,
                                 std::span<const std::uint8_t> sample) {
  const codes::Window window = codes::choose_window(literal, window_bytes, sample);
  const codes::WindowAutomaton automaton(literal, window);
  Pattern pattern{.bytes = static_cast<std::uint32_t>(literal.size()),
                  .window_end = static_cast<std::uint32_t>(window.begin + window.bytes.size()),
                  .window_bytes = static_cast<std::uint32_t>(window.bytes.size()),
                  .window = 0,
                  .window_mask = 0,
                  .next = {},
                  .places = {}};
  for (std::size_t state = 0; state < window.bytes.size(); ++state) {
    pattern.window = pattern.window << 8 | window.bytes[state];
    pattern.window_mask = pattern.window_mask << 8 | 0xff;
    for (std::size_t byte = 0; byte < 256; ++byte) {
      pattern.next[state][byte] =
          static_cast<std::uint8_t>(automaton.next(state, static_cast<std::uint8_t>(byte)));
    }
  }
  if (literal.size() > most_exact_bytes) return pattern;
  for (std::size_t place = 0; place < literal.size() + most_bytes_after; ++place) {
    const std::uint64_t bit = std::uint64_t{1} << place;
    for (std::size_t byte = 0; byte < 256; ++byte) {
      if (place >= literal.size() || literal.bytes()[place] == byte) pattern.places[byte] |= bit;
    }
  }
  return pattern;
}

// The pieces of a frame's blocks, and which of them have the same table.
struct PieceLists {
  std::vector<Segment> segments;
  std::vector<Piece> pieces;
};

inline PieceLists piece_lists(std::span<const SearchedBlock> blocks) {
  PieceLists lists;
  for (std::size_t number = 0; number < blocks.size(); ++number) {
    const SearchedBlock& block = blocks[number];
    if (block.is_raw()) continue;
    const std::uint32_t shape_bit = format::tile_shape_bit(block.shape());
    if (lists.segments.empty() || lists.segments.back().holder != block.holder ||
        lists.segments.back().shape_bit != shape_bit) {
      lists.segments.push_back({.first_piece = static_cast<std::uint32_t>(lists.pieces.size()),
                                .piece_count = 0,
                                .holder = block.holder,
                                .shape_bit = shape_bit});
    }
    const std::uint32_t tiles = block.tile_count();
    for (std::uint32_t tile = 0; tile < tiles; tile += piece_tiles) {
      lists.pieces.push_back({.offset = block.tile(tile),
                              .block = static_cast<std::uint32_t>(number),
                              .first_tile = tile,
                              .end_tile = std::min(tiles, tile + piece_tiles)});
      ++lists.segments.back().piece_count;
    }
  }
  return lists;
}

// What plans of searches have in common. The question is the pattern, any bytes. The answer's rows are
// positions: 8 bytes each, where a match begins in the text; matches may overlap. For an answer of no bytes
// matches are counted only.
class SearchPlan : public stage::Plan {
public:
  std::span<const stage::Part> parts() const override { return parts_; }

  void prepare(std::span<const stage::Given> given, stage::Stream stream) const override {
    if (frame_.block_count == 0) return;
    const SearchState state(given[3].data, *this);
    const unsigned threads = 128;
    stage::launch({.thread_blocks = (frame_.block_count - 1) / threads + 1,
                   .threads_per_block = threads,
                   .shared_bytes = 0,
                   .stream = stream},
                  describe_blocks, frame_at(given[0].data), state.blocks);
    std::vector<SearchedBlock> blocks(frame_.block_count);
    stage::copy_to_host(std::span(blocks), state.blocks, stream);
    const std::vector<std::uint8_t> sample =
        sample_of(blocks[0], static_cast<const std::uint8_t*>(given[0].data), stream);
    const Pattern pattern = pattern_on_device(literal_, window_bytes_, sample);
    stage::copy_to_executor(state.pattern, std::span(&pattern, 1), stream);
    stage::copy_to_executor(state.pattern_bytes, literal_.bytes(), stream);
    const PieceLists lists = piece_lists(blocks);
    if (lists.pieces.size() > most_pieces_)
      refuse_search(description_, "the frame is not the one that the plan is for");
    const auto segment_count = static_cast<std::uint32_t>(lists.segments.size());
    stage::copy_to_executor(state.segment_count, std::span(&segment_count, 1), stream);
    stage::copy_to_executor(state.segments, std::span(lists.segments), stream);
    stage::copy_to_executor(state.pieces, std::span(lists.pieces), stream);
  }

  stage::Outcome check(std::span<const std::byte> status, std::span<const std::byte> result,
                       std::uint64_t first) const override {
    if (auto problem = first_problem(status, first)) return {.problem = problem};
    std::uint64_t count = 0;
    std::memcpy(&count, result.data(), sizeof count);
    return {.count = count, .is_complete = capacity_ == 0 || count <= capacity_};
  }

protected:
  // `description` outlives the plan. The window has at most `window_bytes` bytes; `scratch_bytes` are the
  // stage's own. Throws std::invalid_argument, which names the stage.
  SearchPlan(const stage::Description& description, const stage::QuerySubject& subject,
             std::uint32_t window_bytes, std::uint64_t scratch_bytes)
      : description_(description),
        frame_(searched_frame(description, subject)),
        literal_(std::span(reinterpret_cast<const std::uint8_t*>(subject.question.data()),
                           subject.question.size())),
        window_bytes_(window_bytes),
        capacity_(subject.output_bytes / sizeof(std::uint64_t)),
        most_pieces_(most_pieces(frame_)) {
    const std::uint64_t status_bytes = std::uint64_t{frame_.block_count} * sizeof(std::uint32_t);
    parts_ = {
        {.name = "frame", .role = Role::input, .bytes = frame_.frame_bytes, .alignment = 1},
        {.name = "answer", .role = Role::output, .bytes = capacity_ * sizeof(std::uint64_t), .alignment = 8},
        {.name = "result", .role = Role::result, .bytes = sizeof(std::uint64_t), .alignment = 8},
        {.name = "state",
         .role = Role::state,
         .bytes = SearchState(nullptr, *this).bytes,
         .alignment = stage::scratch_alignment},
        {.name = "scratch",
         .role = Role::scratch,
         .bytes = scratch_bytes,
         .alignment = stage::scratch_alignment},
        {.name = "status", .role = Role::status, .bytes = status_bytes, .alignment = 4}};
  }

  // The search in this memory, without counters of segments.
  SearchOnDevice search_in(std::span<const stage::Given> given) const {
    const SearchState state(given[3].data, *this);
    return {
        .frame = static_cast<const std::uint8_t*>(given[0].data),
        .pattern = state.pattern,
        .pattern_bytes = state.pattern_bytes,
        .blocks = state.blocks,
        .block_count = frame_.block_count,
        .segment_count = state.segment_count,
        .segments = state.segments,
        .pieces = state.pieces,
        .next_pieces = nullptr,
        .answer = {.count = static_cast<unsigned long long*>(given[2].data),
                   .positions = capacity_ == 0 ? nullptr : static_cast<unsigned long long*>(given[1].data),
                   .capacity = capacity_},
        .statuses = static_cast<std::uint32_t*>(given[5].data)};
  }

  stage::FrameOnDevice frame_at(const void* bytes) const {
    stage::FrameOnDevice frame = frame_;
    frame.bytes = static_cast<const std::uint8_t*>(bytes);
    return frame;
  }

  const stage::Description& description_;
  const stage::FrameOnDevice frame_;

private:
  // The parts of the memory that prepare() fills.
  struct SearchState {
    SearchState(void* memory, const SearchPlan& plan) {
      stage::ScratchLayout layout(static_cast<std::uint8_t*>(memory));
      pattern = layout.take<Pattern>(1);
      pattern_bytes = layout.take<std::uint8_t>(plan.literal_.size());
      blocks = layout.take<SearchedBlock>(plan.frame_.block_count);
      segment_count = layout.take<std::uint32_t>(1);
      segments = layout.take<Segment>(plan.frame_.block_count);
      pieces = layout.take<Piece>(plan.most_pieces_);
      bytes = layout.bytes();
    }

    Pattern* pattern;
    std::uint8_t* pattern_bytes;
    SearchedBlock* blocks;
    std::uint32_t* segment_count;
    Segment* segments;
    Piece* pieces;
    std::uint64_t bytes;
  };

  static std::uint64_t most_pieces(const stage::FrameOnDevice& frame) {
    std::uint64_t tile_bytes = std::numeric_limits<std::uint32_t>::max();
    for (const std::uint32_t code_bits : format::tile_code_bits) {
      for (const std::uint32_t codes_per_lane : format::tile_codes_per_lane) {
        const format::TileShape shape{.code_bits = code_bits, .codes_per_lane = codes_per_lane};
        if ((frame.payload_traits & format::tile_shape_bit(shape)) == 0) continue;
        tile_bytes = std::min<std::uint64_t>(tile_bytes, shape.bytes());
      }
    }
    return frame.frame_bytes / (tile_bytes * piece_tiles) + frame.block_count;
  }

  // Text from the frame's start, which says what is rare. Nothing where the first block is damaged.
  static std::vector<std::uint8_t> sample_of(const SearchedBlock& block, const std::uint8_t* frame,
                                             stage::Stream stream) {
    constexpr std::size_t sample_bytes = std::size_t{1} << 20;
    std::vector<std::uint8_t> payload(block.payload_bytes);
    stage::copy_to_host(std::span(payload), frame + block.payload, stream);
    std::vector<std::uint8_t> sample;
    if (block.is_raw()) {
      payload.resize(std::min<std::size_t>(sample_bytes, block.text_bytes));
      return payload;
    }
    const format::TilesHeader header(payload.data());
    try {
      codes::CodeReader(header, *cpu::tiles::read_code_table(header), 0)
          .append_text(0, 0, sample_bytes, sample);
    } catch (const format::FormatError&) {
      sample.clear();
    }
    return sample;
  }

  static std::optional<stage::Problem> first_problem(std::span<const std::byte> words, std::uint64_t first) {
    std::uint32_t word = 0;
    for (std::size_t block = 0; (block + 1) * sizeof word <= words.size(); ++block) {
      std::memcpy(&word, words.data() + block * sizeof word, sizeof word);
      if (word == 0) continue;
      if ((word & 0xff) != codes_without_output_status) {
        return stage::problem_of_block(format::BlockFormat::tiles, word, first + block);
      }
      return stage::Problem{.item = first + block,
                            .field = "codes of strip " + std::to_string(*format::wrong_strip(word)),
                            .description = "are not searched: more than " +
                                           std::to_string(most_codes_without_output) +
                                           " codes in a row put nothing out"};
    }
    return std::nullopt;
  }

  const codes::Literal literal_;
  const std::uint32_t window_bytes_;
  const std::uint64_t capacity_;
  const std::uint64_t most_pieces_;
  std::vector<stage::Part> parts_;
};

}  // namespace
}  // namespace gsst::search::kernels
