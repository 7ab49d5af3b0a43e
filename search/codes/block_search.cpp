#include "search/codes/block_search.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "search/codes/code_reader.hpp"

namespace gsst::search::codes {
namespace {

// Walks over the codes of a block, two runs of its strips at the same time.
class BlockWalk {
public:
  BlockWalk(const CodePlan& plan, const SearchedCodes& codes, const WalkInstructions& instructions)
      : plan_(plan),
        kind_(codes.table.kind),
        shifts_(codes.shifts),
        walk_pieces_(instructions.walk_pieces),
        reader_(codes.block, codes.table, codes.block_number) {}

  std::optional<std::vector<std::uint32_t>> find_pieces(const PieceLimit& limit) {
    const std::uint32_t strips = reader_.strip_count();
    const std::uint32_t half = strips / walked_strips;
    std::array<Run, walked_strips> runs = {Run{.strip = 0, .end = half}, Run{.strip = half, .end = strips}};
    for (Run& run : runs) run.state = state_before(reader_.strip_begin(run.strip));
    const auto has_too_many = [&] {
      const std::uint64_t found = runs[0].pieces.size() + runs[1].pieces.size();
      const std::uint64_t walked_strips_of_runs = runs[0].strip + (runs[1].strip - half);
      const std::uint64_t walked = walked_strips_of_runs * (reader_.strip_codes() / piece_codes);
      return found > limit.least && found - limit.least > walked / limit.pieces_for_each;
    };
    while (runs[0].strip != runs[0].end && !has_too_many()) walk_strips(runs);
    while (runs[1].strip != runs[1].end && !has_too_many()) walk_strips(std::span(runs).subspan(1));
    if (has_too_many()) return std::nullopt;
    std::vector<std::uint32_t> pieces = std::move(runs[0].pieces);
    pieces.insert(pieces.end(), runs[1].pieces.begin(), runs[1].pieces.end());
    return pieces;
  }

private:
  // Strips that follow each other.
  struct Run {
    // The next one, and the one behind the last.
    std::uint32_t strip;
    std::uint32_t end;
    std::uint64_t state = 0;
    std::vector<std::uint32_t> pieces = {};
  };

  std::uint64_t state_before(std::uint64_t code) const {
    return plan_.state_after(kind_, reader_.text_before(code, plan_.bytes_of_state(kind_)));
  }

  // The same where halves of a byte may be waiting.
  std::uint64_t state_in_strip_before(std::uint64_t code) const {
    std::uint64_t before = reader_.begin_of_halves(code);
    std::uint64_t state = state_before(before);
    for (; before != code; ++before) state = shifts_.words[reader_.code(before)] >> (state & 63);
    return state & 63;
  }

  // The next strip of each run.
  void walk_strips(std::span<Run> runs) {
    std::array<StripWalk, walked_strips> walks{};
    std::array<std::uint64_t, walked_strips> ends{};
    std::uint64_t codes = reader_.strip_codes();
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const std::uint32_t strip = runs[i].strip;
      walks[i] = {.strip = reader_.codes_of(strip), .state = runs[i].state};
      ends[i] = reader_.has_halves() ? reader_.end_of_output(strip) : reader_.strip_end(strip);
      codes = std::min(codes, ends[i] - reader_.strip_begin(strip));
    }
    const auto common = static_cast<std::uint32_t>(codes / piece_codes);
    walk_pieces(runs, std::span(walks).first(runs.size()), 0, common);
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const std::uint64_t begin = reader_.strip_begin(runs[i].strip);
      const auto whole = static_cast<std::uint32_t>((ends[i] - begin) / piece_codes);
      walk_pieces(runs.subspan(i, 1), std::span(walks).subspan(i, 1), common, whole);
      runs[i].state = walks[i].state;
      walk_codes(runs[i], begin + std::uint64_t{whole} * piece_codes, ends[i]);
      ++runs[i].strip;
    }
  }

  void walk_pieces(std::span<Run> runs, std::span<StripWalk> walks, std::uint32_t piece, std::uint32_t end) {
    while (piece != end) {
      piece = walk_pieces_(shifts_, kind_, walks, piece, end);
      for (std::size_t i = 0; i < runs.size(); ++i) {
        if (walks[i].state != shifts_.seen) continue;
        const std::uint64_t piece_end =
            reader_.strip_begin(runs[i].strip) + std::uint64_t{piece} * piece_codes;
        runs[i].pieces.push_back(static_cast<std::uint32_t>(piece_end - piece_codes));
        walks[i].state = state_in_strip_before(piece_end);
      }
    }
  }

  // Fewer codes than a piece has.
  void walk_codes(Run& run, std::uint64_t begin, std::uint64_t end) {
    std::uint64_t state = run.state;
    for (std::uint64_t code = begin; code != end; ++code) {
      state = shifts_.words[reader_.code(code)] >> (state & 63);
    }
    run.state = state & 63;
    if (run.state != shifts_.seen) return;
    if (begin != end) run.pieces.push_back(static_cast<std::uint32_t>(begin));
    run.state = state_in_strip_before(end);
  }

  const CodePlan& plan_;
  cpu::tiles::CodeKind kind_;
  const ShiftTable& shifts_;
  WalkPieces* walk_pieces_;
  CodeReader reader_;
};

// Looks at the text of pieces.
class PieceVerifier {
public:
  PieceVerifier(const LiteralPlan& plan, const SearchedCodes& codes, const MatchSink& sink)
      : literal_(plan.literal()),
        bytes_behind_(plan.part(codes.table.kind).window.bytes_behind(literal_)),
        reader_(codes.block, codes.table, codes.block_number),
        block_bytes_(codes.block.uncompressed_bytes()),
        sink_(sink) {}

  // Finds the matches whose window ends in the piece whose first code is `piece`.
  void verify(std::uint32_t piece) {
    const std::uint32_t strip = reader_.strip_of(piece);
    const std::uint64_t end = std::min(std::uint64_t{piece} + piece_codes, reader_.strip_end(strip));
    const std::size_t bytes_to_window_end = literal_.size() - bytes_behind_;
    std::vector<std::uint8_t> text = reader_.text_before(piece, bytes_to_window_end - 1);
    const std::size_t before = text.size();
    const std::size_t in_piece = reader_.append_text(piece, end, bytes_behind_, text);
    literal_.fold_text(text);
    std::optional<std::uint64_t> piece_output;
    for (auto match = literal_.find(text, 0); match; match = literal_.find(text, *match + 1)) {
      const std::size_t window_end = *match + bytes_to_window_end;
      if (window_end <= before) continue;
      if (window_end > before + in_piece) break;
      if (!piece_output) piece_output = output_of(strip, piece);
      const std::uint64_t end_of_match = *piece_output + *match + literal_.size();
      if (end_of_match < before + literal_.size() || end_of_match - before > block_bytes_) {
        // Strips that are not looked at decode to other bytes than they have.
        reader_.check_all_strips();
      }
      sink_(end_of_match - before - literal_.size());
    }
  }

private:
  // Where the piece's output begins. Counts the strip's codes from the last piece on.
  std::uint64_t output_of(std::uint32_t strip, std::uint32_t piece) {
    if (strip != strip_) {
      strip_ = strip;
      counted_to_ = reader_.strip_begin(strip);
      output_ = reader_.strip_output(strip);
      reader_.check_strip(strip, reader_.output_bytes(counted_to_, reader_.strip_end(strip)));
    }
    output_ += reader_.output_bytes(counted_to_, piece);
    counted_to_ = piece;
    return output_;
  }

  const Literal& literal_;
  std::size_t bytes_behind_;
  CodeReader reader_;
  std::uint64_t block_bytes_;
  const MatchSink& sink_;
  std::optional<std::uint32_t> strip_;
  std::uint64_t counted_to_ = 0;
  std::uint64_t output_ = 0;
};

}  // namespace

std::optional<std::vector<std::uint32_t>> find_pieces(const CodePlan& plan, const SearchedCodes& codes,
                                                      const PieceLimit& limit,
                                                      const WalkInstructions& instructions) {
  return BlockWalk(plan, codes, instructions).find_pieces(limit);
}

bool find_in_block(const LiteralPlan& plan, const SearchedCodes& codes, const PieceLimit& limit,
                   const MatchSink& sink, const WalkInstructions& instructions) {
  const auto pieces = find_pieces(plan, codes, limit, instructions);
  if (!pieces) return false;
  PieceVerifier verifier(plan, codes, sink);
  for (const std::uint32_t piece : *pieces) verifier.verify(piece);
  return true;
}

}  // namespace gsst::search::codes
