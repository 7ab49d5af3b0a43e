#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "common/format/gsst/symbol_table.hpp"
#include "stages/gsst/encode/encode_plans.hpp"

namespace gsst::stage {

/// What an encoding leaves behind, copied to the host.
struct EncodeResult {
  std::vector<std::uint8_t> frame;
  /// One EncodedBlock value per block.
  std::vector<std::uint32_t> statuses;
  /// The tables that were used, one for all blocks or one for each table_count().
  std::vector<format::SymbolTable> tables;
  /// Whether the guard bytes around the output and the scratch memory are what they were.
  bool guards_are_intact;
};

/// How an EncodeRunner lays out its buffers.
struct EncodeBuffers {
  /// Bytes before and after the output and the scratch memory; a multiple of encode_alignment.
  std::size_t guard_bytes = 0;
  /// What the guards, the output and the scratch memory are filled with first.
  std::uint8_t poison = 0;
  /// Bytes before the input, which shift its address.
  std::size_t input_offset = 0;
};

/// Runs encodings one after the other, in memory that it keeps: as much as the largest of them needs.
class EncodeRunner {
public:
  /// `plans` must outlive the runner; their executor must be available.
  explicit EncodeRunner(const GsstEncodePlans& plans);
  EncodeRunner(const EncodeRunner&) = delete;
  EncodeRunner& operator=(const EncodeRunner&) = delete;
  ~EncodeRunner();

  /// Encodes `input` (host memory) and waits for it, with tables that are trained or given, not ReadyTables.
  /// The result stays until the next call; it has no tables for format tiles. Throws std::invalid_argument as
  /// GsstEncodePlans::make does, and for an input of other bytes than the settings say.
  EncodeResult& run(std::span<const std::uint8_t> input, const EncodeSubject& subject,
                    const EncodeBuffers& buffers = {});

private:
  class Memory;
  template <typename Buffer>
  class MemoryOf;

  const GsstEncodePlans& plans_;
  std::unique_ptr<Memory> memory_;
  EncodeResult result_;
};

}  // namespace gsst::stage
