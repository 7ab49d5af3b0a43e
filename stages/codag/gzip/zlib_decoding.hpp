#pragma once

#include <cstdint>
#include <span>

#include "common/chunk_files/chunk_files.hpp"

/// Files of zlib, decoded by a stage of format deflate.
namespace gsst::codag::gzip {

/// Decodes the stream of `file`, a large one in pieces, and checks its Adler-32 on the executor. A file does
/// not say what it decodes to, so a kernel of one warp reads all symbols first and counts the bytes. A stream
/// above 1 GiB, or that needs too much memory, is decoded by zlib. Errors are those of
/// reference::codag::decode_zlib(), but for damage within the stream, which is named as stages do. `numbers`
/// says who has decoded the stream.
chunk_files::ChunkTotals decode_zlib_file(std::span<const std::uint8_t> file,
                                          const chunk_files::ChunkRequest& request,
                                          const format::WriteFunction& write,
                                          const format::ProgressFunction& progress);

}  // namespace gsst::codag::gzip
