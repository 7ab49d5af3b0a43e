#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <variant>

#include "common/format/gsst/symbol_table.hpp"
#include "common/format/gsst/tiles.hpp"
#include "common/stage/plan.hpp"
#include "common/stage/registry.hpp"
#include "stages/gsst/encode/encode_plans.hpp"
#include "stages/gsst/encode/encode_settings.hpp"

namespace gsst::library {

/// The default stage that encodes to `format` on `executor`. Throws std::logic_error if this program was not
/// linked with it.
const stage::RegisteredStage& encoder_of(format::BlockFormat format, stage::Executor executor);

/// Where an encoding takes its symbol tables from.
enum class GpuTables {
  /// Every execution trains them on its input, on the executor.
  trained,
  /// As trained, but on the host where the executor cannot. Execution waits for that.
  trained_anywhere,
  /// load_table() or train_table() gives one.
  loaded,
};

/// A table for format splits, or for format tiles.
using GpuTable = std::variant<format::SymbolTable, format::TileTable>;

struct GpuCompressOptions {
  GpuTables tables = GpuTables::trained;
  /// Uncompressed bytes of each block but the last.
  std::uint64_t block_bytes = std::uint64_t{1} << 20;
  /// 0: splits of 256 bytes.
  std::uint32_t split_count = 0;
  /// Consecutive blocks that share a trained table.
  std::uint32_t blocks_per_table = 64;
  /// Bits of a code of format tiles, whose blocks have no splits and all share one table. Nothing for format
  /// splits.
  std::optional<std::uint32_t> tile_code_bits = std::nullopt;
};

/// Memory of the executor for one compression.
struct GpuCompressMemory {
  /// input_bytes() bytes, at any address.
  const std::uint8_t* input;
  /// output_bytes() bytes, aligned to stage::encode_alignment.
  std::uint8_t* output;
  /// scratch_bytes() bytes, aligned to stage::encode_alignment.
  std::uint8_t* scratch;
  /// One word, set to the bytes of the frame.
  std::uint64_t* frame_bytes;
};

/// Compresses inputs of one size in an executor's memory, with the default encoder of
/// their format.
class GpuCompressPlan {
public:
  /// For the executor's current device. Throws std::invalid_argument for options out of range and for tables
  /// that the executor cannot train at all, ApiError if it has too little memory to train tables of tiles,
  /// and cuda::CudaError.
  GpuCompressPlan(stage::Executor executor, std::uint64_t input_bytes, const GpuCompressOptions& options);

  std::uint64_t input_bytes() const { return settings_.input_bytes; }
  std::uint64_t output_bytes() const { return bytes_of(*encoding_, stage::Role::output); }
  std::uint64_t scratch_bytes() const { return scratch_bytes_; }

  /// Puts `table` into `scratch`, of scratch_bytes() bytes, for the executions there from now on. May wait
  /// for `stream`. Throws std::invalid_argument for a plan that trains its tables, and for a table of another
  /// format or for other codes.
  void load_table(const GpuTable& table, std::uint8_t* scratch, stage::Stream stream);

  /// Enqueues the training of a table on `input`, input_bytes() bytes of the executor's memory, which takes
  /// the place of one that is loaded. Allocates nothing, waits for nothing. Throws as the constructor does
  /// for a plan that trains, and std::invalid_argument for a plan that does so itself.
  void train_table(const std::uint8_t* input, std::uint8_t* scratch, stage::Stream stream);

  /// Enqueues the compression on `stream`: allocates nothing, waits for
  /// nothing. Throws std::invalid_argument if it needs a table and memory.scratch has none.
  void enqueue(const GpuCompressMemory& memory, stage::Stream stream) const;

private:
  void check_takes_table() const;
  void check_trains_on_executor(const stage::Plan& training) const;
  // In the order of the plan's parts. `memory` has no output where tables are loaded or trained only.
  std::array<stage::Given, 5> given(const GpuCompressMemory& memory) const;

  const stage::GsstEncodePlans& plans_;
  GpuTables tables_;
  stage::EncodeSettings settings_;
  std::unique_ptr<stage::Plan> encoding_;
  // Of the scratch memory: the encoder's, in front of the blocks' statuses.
  std::uint64_t encoder_scratch_bytes_ = 0;
  std::uint64_t scratch_bytes_ = 0;
  // The scratch memory that a table is in.
  const std::uint8_t* loaded_scratch_ = nullptr;
};

/// The compute capability that compression with these options needs of a GPU, 10 * major + minor.
int compression_compute_capability(const GpuCompressOptions& options);

}  // namespace gsst::library
