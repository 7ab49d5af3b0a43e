#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/format/block_format.hpp"
#include "common/format/stream.hpp"
#include "common/stage/registry.hpp"

/// Files that are no frames and that other programs write, but whose bytes have chunks that are blocks of one
/// of the formats: stages decode them. Each kind is taken apart by code of a series, which registers it.
namespace gsst::chunk_files {

/// What decodes the chunks.
struct ChunkRequest {
  /// Decodes ChunkFiles::chunk_format; must outlive the call.
  const stage::RegisteredStage* stage;
  stage::Executor executor;
  stage::ParameterValues parameters = {};
  /// Of the executor's memory at most, and of the host's as much.
  std::uint64_t memory_bytes;
};

/// What became of a file.
struct ChunkTotals {
  format::StreamTotals stream;
  /// Of its blocks, those that the stage has decoded, not code of the host.
  std::uint64_t blocks_of_stage = 0;
  /// What ran where, for people: ends with ", " if it is not empty.
  std::string how = {};
  /// The same for programs.
  std::vector<std::pair<std::string, std::uint64_t>> numbers = {};
};

/// A kind of files.
struct ChunkFiles {
  /// Of the codec that decodes such a file on the CPU.
  format::BlockFormat format;
  /// Of the chunks.
  format::BlockFormat chunk_format;
  /// Writes what `file`, the whole file in host memory, decodes to. Throws format::FormatError for a damaged
  /// file, cuda::CudaError, and what `write` throws.
  ChunkTotals (*decode)(std::span<const std::uint8_t> file, const ChunkRequest& request,
                        const format::WriteFunction& write, const format::ProgressFunction& progress);
};

/// The kind of files of that format, or nullptr.
const ChunkFiles* find_chunk_files(format::BlockFormat format);

/// Registers a kind when the program starts.
class ChunkFilesRegistration {
public:
  explicit ChunkFilesRegistration(const ChunkFiles& files);
};

}  // namespace gsst::chunk_files
