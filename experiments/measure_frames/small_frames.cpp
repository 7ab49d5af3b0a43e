#include "experiments/measure_frames/small_frames.hpp"

#include <algorithm>
#include <string>

#include "common/format/formats.hpp"
#include "common/format/gsst/tiles_header.hpp"
#include "common/format/part_size.hpp"
#include "common/frame/frame.hpp"
#include "experiments/measure/shared/error.hpp"
#include "reference_cpu/codec.hpp"
#include "reference_cpu/parallel.hpp"

namespace gsst::experiments {
namespace {

using Bytes = std::vector<std::uint8_t>;

std::vector<Bytes> compress_pieces(const Input& input, std::span<const std::uint8_t> text) {
  std::vector<Bytes> pieces(format::part_size(text.size(), input.block_bytes));
  reference::parallel_for(pieces.size(), 0, [&](std::size_t i) {
    const auto begin = text.subspan(i * input.block_bytes);
    const auto piece = begin.first(std::min<std::size_t>(begin.size(), input.block_bytes));
    format::EncodeSettings settings = encode_settings(input, piece.size());
    settings.threads = 1;
    pieces[i] = reference::encode_file(reference::codec_of(input.format), piece, settings);
  });
  return pieces;
}

// What decoders should know of the blocks of a frame.
std::uint32_t traits_of(std::span<const std::uint8_t> frame) {
  const format::FrameView view = format::parse_frame(frame);
  const auto pass = format::rules_of(view.header.format).start_pass();
  std::uint32_t traits = 0;
  for (std::size_t block = 0; block < view.index.entries.size(); ++block) {
    const format::BlockRecord& record = view.index.entries[block].record;
    if (record.layout == format::BlockLayout::raw) continue;
    traits |= pass->check(view.payload(block), format::expectation_of(view.header, record), block).traits;
  }
  return traits;
}

}  // namespace

SmallFrames make_small_frames(const Input& input, std::span<const std::uint8_t> text) {
  if (input.format < format::BlockFormat::blocks || input.format > format::BlockFormat::tiles) {
    throw InputError("frames: this format is not decompressed from many frames");
  }
  if (input.block_bytes == 0) throw InputError("frames: points need block_bytes, which a frame has");
  const std::vector<Bytes> pieces = compress_pieces(input, text);
  SmallFrames made;
  frames::FramesBounds& bounds = made.bounds;
  for (const Bytes& piece : pieces) {
    constexpr std::size_t unit = format::tiles_alignment;
    made.bytes.resize(format::part_size(made.bytes.size(), unit) * unit);
    const format::FrameView view = format::parse_frame(piece);
    const std::uint64_t output_bytes = view.index.uncompressed_bytes;
    made.places.push_back({.input_offset = made.bytes.size(),
                           .output_offset = bounds.all_output_bytes,
                           .frame_bytes = piece.size(),
                           .output_capacity = output_bytes});
    made.bytes.insert(made.bytes.end(), piece.begin(), piece.end());
    made.compressed_bytes += piece.size();
    bounds.format = view.header.format;
    bounds.split_count = view.header.split_count;
    bounds.checksum_kind = view.header.checksum_kind;
    bounds.tile_shapes |= traits_of(piece);
    bounds.frame_bytes = std::max<std::uint64_t>(bounds.frame_bytes, piece.size());
    bounds.output_bytes = std::max(bounds.output_bytes, output_bytes);
    bounds.all_output_bytes += output_bytes;
  }
  bounds.frame_count = pieces.size();
  bounds.block_count = 1;
  bounds.input_bytes = made.bytes.size();
  return made;
}

}  // namespace gsst::experiments
