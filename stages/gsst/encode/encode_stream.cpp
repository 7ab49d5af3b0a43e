#include "stages/gsst/encode/encode_stream.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/frame/frame.hpp"
#include "common/pipeline/memory_limit.hpp"
#include "stages/gsst/encode/piece_encoder.hpp"

namespace gsst::stage {
namespace {

EncodeSettings settings_of_piece(const EncodeStreamSettings& settings, std::uint64_t bytes) {
  EncodeSettings piece = {.input_bytes = bytes,
                          .block_bytes = settings.block_bytes,
                          .split_count = settings.split_count,
                          .blocks_per_table = settings.blocks_per_table,
                          .parameters = settings.parameters};
  if (settings.tiles) piece.tiles = settings.tiles->shape;
  return piece;
}

// Bytes of a table's blocks, of which a piece has all.
std::uint64_t bytes_of_table(const EncodeStreamSettings& settings) {
  return settings.block_bytes * settings.blocks_per_table;
}

// `is_full`: the piece is as long as it may be.
void check_memory(const GsstEncodePlans& plans, const EncodeStreamSettings& settings, std::uint64_t bytes,
                  bool is_full) {
  if (memory_of_piece(plans, settings, bytes) <= settings.memory_bytes) return;
  throw pipeline::MemoryLimitError(
      settings.memory_bytes, memory_of_piece(plans, settings, is_full ? bytes_of_table(settings) : bytes));
}

// Writes one frame out of the frames of its pieces.
class FrameJoiner {
public:
  FrameJoiner(const format::WriteFunction& write, std::uint64_t most_blocks)
      : write_(write), most_blocks_(most_blocks) {}

  // The next piece's frame: its blocks with their records are the frame's, its index is not.
  void append(std::span<const std::uint8_t> piece) {
    const format::FrameView frame = format::parse_frame(piece);
    if (frame.index.entries.size() > most_blocks_ - index_.entries.size()) {
      throw std::length_error("a frame holds at most " + std::to_string(most_blocks_) +
                              " blocks; use a larger block size");
    }
    const std::uint64_t blocks_end = frame.index_offset() - format::record_header_bytes;
    const std::size_t begin = header_is_written_ ? format::frame_header_bytes : 0;
    header_is_written_ = true;
    index_.checksum_kind = frame.header.checksum_kind;
    for (const format::IndexEntry& entry : frame.index.entries) {
      format::append_block(index_, entry.record);
      if (frame.header.format == format::BlockFormat::tiles && holds_table(piece, entry)) ++tables_;
    }
    put(piece.subspan(begin, blocks_end - begin));
  }
  void finish() { put(format::build_frame_end(index_)); }

  EncodeStreamTotals totals() const {
    EncodeStreamTotals totals;
    totals.input_bytes = index_.uncompressed_bytes;
    totals.output_bytes = written_bytes_;
    totals.blocks = index_.entries.size();
    totals.tables = tables_;
    return totals;
  }

private:
  // Of a block of tiles.
  static bool holds_table(std::span<const std::uint8_t> frame, const format::IndexEntry& entry) {
    return entry.record.layout != format::BlockLayout::raw &&
           format::TilesHeader(frame.data() + entry.payload_offset).dictionary_id() == 0;
  }

  void put(std::span<const std::uint8_t> bytes) {
    write_(bytes);
    written_bytes_ += bytes.size();
  }

  const format::WriteFunction& write_;
  std::uint64_t most_blocks_;
  format::FrameIndex index_;
  bool header_is_written_ = false;
  std::uint64_t written_bytes_ = 0;
  std::uint64_t tables_ = 0;
};

// The largest number from `fitting` on that fits, below `too_many`.
template <typename Fits>
std::uint64_t largest_that_fits(std::uint64_t fitting, std::uint64_t too_many, const Fits& fits) {
  while (fitting + 1 < too_many) {
    const std::uint64_t middle = fitting + (too_many - fitting) / 2;
    (fits(middle) ? fitting : too_many) = middle;
  }
  return fitting;
}

// The bytes of a piece of `most_bytes` that the memory holds: all, unless it is smaller than a table's
// blocks.
std::uint64_t room_within(const GsstEncodePlans& plans, const EncodeStreamSettings& settings,
                          std::uint64_t most_bytes) {
  const auto fits = [&](std::uint64_t bytes) {
    return memory_of_piece(plans, settings, bytes) <= settings.memory_bytes;
  };
  return fits(most_bytes) ? most_bytes : largest_that_fits(0, most_bytes, fits);
}

// Pieces in flight: one is read, one is encoded, one is written.
std::uint64_t slots_within(const GsstEncodePlans& plans, const EncodeStreamSettings& settings,
                           std::uint64_t bytes) {
  constexpr std::uint64_t most_slots = 3;
  return std::clamp<std::uint64_t>(settings.memory_bytes / memory_of_piece(plans, settings, bytes), 1,
                                   most_slots);
}

}  // namespace

std::uint64_t memory_of_piece(const GsstEncodePlans& plans, const EncodeStreamSettings& settings,
                              std::uint64_t bytes) {
  const std::unique_ptr<Plan> plan =
      plans.make({.settings = settings_of_piece(settings, bytes), .tables = ReadyTables()});
  std::uint64_t memory = 0;
  for (const Part& part : plan->parts()) memory += part.bytes;
  // PieceEncoder aligns the word after the statuses.
  return memory + sizeof(std::uint32_t);
}

std::uint64_t piece_bytes(const GsstEncodePlans& plans, const EncodeStreamSettings& settings) {
  const std::uint64_t table_bytes = bytes_of_table(settings);
  const auto fits = [&](std::uint64_t tables) {
    return memory_of_piece(plans, settings, tables * table_bytes) <= settings.memory_bytes;
  };
  if (!fits(1)) return std::min(table_bytes, settings.memory_bytes);
  const std::uint64_t most = std::min(std::max<std::uint64_t>(most_piece_bytes / table_bytes, 1),
                                      format::max_block_count / settings.blocks_per_table);
  return largest_that_fits(1, most + 1, fits) * table_bytes;
}

EncodeStreamTotals encode_stream(const GsstEncodePlans& plans, const format::ReadFunction& read,
                                 const format::WriteFunction& write, const EncodeStreamSettings& settings,
                                 const format::ProgressFunction& progress) {
  check_settings(plans.description(), settings_of_piece(settings, 0));
  const EncodeTables tables =
      settings.tiles && settings.tiles->table ? EncodeTables(*settings.tiles->table) : TrainedTables();
  const std::uint64_t most_bytes = piece_bytes(plans, settings);
  const std::uint64_t most_slots = slots_within(plans, settings, most_bytes);
  ChunkedReader reader(plans.executor(), read, most_bytes, room_within(plans, settings, most_bytes));
  FrameJoiner frame(write, settings.most_blocks);
  std::vector<std::unique_ptr<PieceEncoder>> slots;
  const auto slot_of = [&](std::uint64_t piece) -> PieceEncoder& { return *slots[piece % most_slots]; };
  std::uint64_t started = 0;
  std::uint64_t fetched = 0;
  std::uint64_t written = 0;
  const auto fetch = [&] { slot_of(fetched++).fetch_frame(); };
  const auto write_oldest = [&] {
    if (fetched == written) fetch();
    frame.append(slot_of(written++).finish());
    if (progress) progress(frame.totals());
  };
  bool is_full = true;
  while (is_full) {
    if (started - written == most_slots) write_oldest();
    if (slots.size() < most_slots && started == slots.size()) {
      slots.push_back(std::make_unique<PieceEncoder>(plans));
      // The first slot's memory grows instead: the input may be short.
      if (started > 0) slots.back()->input().make_room(most_bytes);
    }
    PieceEncoder& slot = slot_of(started);
    const std::uint64_t bytes = reader.read_piece(slot.input(), slot.queue());
    is_full = bytes == most_bytes;
    // An empty input has a frame too.
    if (bytes == 0 && started > 0) break;
    check_memory(plans, settings, bytes, is_full);
    slot.start({.settings = settings_of_piece(settings, bytes), .tables = tables});
    ++started;
    // The previous piece's frame is copied to the host while this piece is encoded.
    if (started - fetched == 2) fetch();
  }
  while (written < started) write_oldest();
  frame.finish();
  return frame.totals();
}

}  // namespace gsst::stage
