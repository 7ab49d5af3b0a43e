#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "common/format/stream.hpp"
#include "reference_cpu/codag/deflate_encoder.hpp"

/// Files of zlib (RFC 1950): one stream. zlib does the work. A build without it, as that of the library alone
/// is, throws std::runtime_error from both.
namespace gsst::reference::codag {

/// Decodes the stream of `read`, in memory that does not depend on its size, and checks its Adler-32. The
/// totals have one block. Bytes after the stream are an error, and so is a stream that needs a dictionary.
/// Throws format::FormatError, whose block is 0, and what the functions throw.
format::StreamTotals decode_zlib(const format::ReadFunction& read, const format::WriteFunction& write,
                                 const format::ProgressFunction& progress);

/// Encodes `bytes` as one stream.
std::vector<std::uint8_t> encode_zlib(std::span<const std::uint8_t> bytes, const DeflateChoice& choice);

}  // namespace gsst::reference::codag
