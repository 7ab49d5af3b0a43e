#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "common/frame/frame.hpp"
#include "common/pipeline/memory_limit.hpp"
#include "reference_cpu/tile_integer/type_option.hpp"
#include "stages/tile_integer/encode/kernel_encode_runner.hpp"

namespace gsst::tile_integer {
namespace {

// Bytes of a piece at most, but of one that is a single block. Pieces are read, copied, encoded and copied
// back one after the other: launches take little of the time that reading one takes.
constexpr std::uint64_t most_bytes_of_piece = std::uint64_t{64} << 20;

// Writes one frame out of the frames of its pieces: their records are those of the whole frame, the index is
// not.
class FrameOfPieces {
public:
  explicit FrameOfPieces(const format::WriteFunction& write) : write_(write) {}

  // The frame of `input_bytes` bytes.
  void append(std::span<const std::uint8_t> piece, std::uint64_t input_bytes) {
    const format::FrameView frame = format::parse_frame(piece);
    const std::vector<format::IndexEntry>& entries = frame.index.entries;
    if (entries.size() > format::max_block_count - index_.entries.size()) {
      throw std::length_error("a frame holds at most " + std::to_string(format::max_block_count) +
                              " blocks; use a larger block size");
    }
    index_.checksum_kind = frame.header.checksum_kind;
    for (const format::IndexEntry& entry : entries) format::append_block(index_, entry.record);
    const std::size_t begin = totals_.output_bytes == 0 ? 0 : format::frame_header_bytes;
    put(piece.subspan(begin, frame.index_offset() - format::record_header_bytes - begin));
    totals_.blocks += entries.size();
    totals_.input_bytes += input_bytes;
  }

  void finish() { put(format::build_frame_end(index_)); }

  const format::EncodeTotals& totals() const { return totals_; }

private:
  void put(std::span<const std::uint8_t> bytes) {
    write_(bytes);
    totals_.output_bytes += bytes.size();
  }

  const format::WriteFunction& write_;
  format::EncodeTotals totals_;
  format::FrameIndex index_;
};

// The most whole blocks of a piece whose encoding fits into the memory; one where none fits.
template <typename MemoryOf>
std::uint64_t most_blocks(std::uint64_t block_bytes, std::uint64_t memory_bytes, const MemoryOf& memory_of) {
  std::uint64_t fitting = 1;
  std::uint64_t too_many = std::max<std::uint64_t>(most_bytes_of_piece / block_bytes, 1) + 1;
  while (fitting + 1 < too_many) {
    const std::uint64_t middle = fitting + (too_many - fitting) / 2;
    (memory_of(middle * block_bytes) <= memory_bytes ? fitting : too_many) = middle;
  }
  return fitting;
}

// How values are coded, as the codecs say it.
std::string_view way_of(format::BlockFormat format) {
  if (format == format::tile_integer::dfor_format) return " by difference from the one before, ";
  return format == format::tile_integer::rfor_format ? " in runs, " : " by reference, ";
}

}  // namespace

format::EncodeTotals KernelEncodePlans::encode(const stage::FileToEncode& file,
                                               const format::ReadFunction& read,
                                               const format::WriteFunction& write,
                                               const format::ProgressFunction& progress) const {
  check(file);
  const std::uint64_t block_bytes = file.settings.block_bytes;
  const auto input_of = [&](std::uint64_t bytes) {
    return stage::InputToEncode{.format = file.format,
                                .input_bytes = bytes,
                                .block_bytes = block_bytes,
                                .options = file.settings.options};
  };
  const auto memory_of = [&](std::uint64_t bytes) {
    return KernelEncodeRunner::memory_bytes(*this, input_of(bytes));
  };
  // Bytes of every piece but the last. Where the memory holds no block it may hold a short input.
  std::uint64_t most_bytes = std::min(block_bytes, file.memory_bytes);
  if (memory_of(block_bytes) <= file.memory_bytes) {
    most_bytes = most_blocks(block_bytes, file.memory_bytes, memory_of) * block_bytes;
  }
  KernelEncodeRunner runner(*this);
  FrameOfPieces frame(write);
  bool is_full = true;
  std::vector<std::uint8_t> piece = format::read_up_to(read, most_bytes);
  do {
    is_full = piece.size() == most_bytes;
    if (memory_of(piece.size()) > file.memory_bytes) {
      throw pipeline::MemoryLimitError(file.memory_bytes, memory_of(is_full ? block_bytes : piece.size()));
    }
    frame.append(runner.run(piece, input_of(piece.size())).frame, piece.size());
    if (progress) progress(frame.totals());
    // Into the same memory: fresh pages cost more than what is done with their bytes.
    if (is_full) piece.resize(read(piece));
  } while (is_full && !piece.empty());
  frame.finish();
  format::EncodeTotals totals = frame.totals();
  const auto type = static_cast<std::size_t>(reference::tile_integer::type_of(file.settings.options));
  totals.how = "values of type " + std::string(reference::tile_integer::type_names.at(type)) +
               std::string(way_of(file.format));
  return totals;
}

}  // namespace gsst::tile_integer
