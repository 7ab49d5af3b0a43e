#pragma once

#include <cstdint>
#include <span>

#include "common/chunk_files/chunk_files.hpp"

/// Files of gzip, decoded by a stage of format deflate.
namespace gsst::codag::gzip {

/// Most bytes that the members of a batch decode to, unless it is a single one: 2048 members of 64 KiB, for
/// each of which a warp decodes.
inline constexpr std::uint64_t gzip_batch_bytes = std::uint64_t{128} << 20;

/// Decodes batches of members, each member a chunk, and checks their CRC-32 and sizes on the executor. A
/// stage of its own has several warps for each large member (decoder_for()). Where members do not say their
/// size, their ends are guessed (find_member()) and verified by the decoder. From the first member on that
/// cannot be had so, or needs too much memory, zlib decodes. Members one after the other, and bytes 0 after
/// the last, as for reference::codag::decode_gzip(), and so are errors; of a member that says its size, they
/// are those of the stage. `numbers` has the members that each has decoded.
chunk_files::ChunkTotals decode_gzip_file(std::span<const std::uint8_t> file,
                                          const chunk_files::ChunkRequest& request,
                                          const format::WriteFunction& write,
                                          const format::ProgressFunction& progress);

}  // namespace gsst::codag::gzip
