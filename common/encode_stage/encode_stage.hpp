#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/format/symbol_table.hpp"
#include "common/format/tiles.hpp"
#include "common/stage/registry.hpp"

/// What a stage that encodes is to the rest of the repository: a description, and functions that size, train
/// and encode. It registers itself from its own folder (common/stage/registry.hpp); nothing else names it.
namespace gsst::stage {

/// How an input is cut and encoded.
struct EncodeSettings {
  /// May be 0.
  std::uint64_t input_bytes;
  /// Uncompressed bytes of every block but the last, 1 to format::max_block_bytes.
  std::uint64_t block_bytes;
  /// Splits of a block, 1 to format::max_split_count.
  std::uint32_t split_count;
  /// Consecutive blocks that share a symbol table, which each of them stores (GPU encoder paper 5.1: super
  /// tables). At least 1.
  std::uint32_t blocks_per_table = 1;
  ParameterValues parameters = {};
  /// Set for a frame of format tiles, whose blocks share one table of codes of this width. Then split_count
  /// is 1 and blocks_per_table means nothing.
  std::optional<format::TileShape> tiles = std::nullopt;
};

/// Blocks that the input is cut into.
std::uint32_t block_count(const EncodeSettings& settings);

/// Uncompressed bytes of the longest block that the input is cut into, at least 1: all bytes of an input that
/// does not fill a block. Sizes of memory follow it, so that a short input of large blocks takes little.
std::uint64_t longest_block_bytes(const EncodeSettings& settings);

/// Symbol tables that the input's blocks need.
std::uint32_t table_count(const EncodeSettings& settings);

/// The input of table `table`, less than table_count(): all blocks that share it.
std::span<const std::uint8_t> input_of_table(std::span<const std::uint8_t> input,
                                             const EncodeSettings& settings, std::uint32_t table);

/// Throws std::invalid_argument naming the value that is out of range, or a parameter that `description` does
/// not have.
void check_settings(const Description& description, const EncodeSettings& settings);

/// What became of a block. Both are right: a block that coding does not make smaller is stored as it is.
enum class EncodedBlock : std::uint32_t { coded = 0, raw = 1 };

/// Address alignment of the output and of the scratch memory of an encoding, in bytes.
inline constexpr std::size_t encode_alignment = 256;

/// Memory that an encoding needs, whatever the input's bytes are.
struct EncodeSpace {
  /// At least the largest frame, and more where the encoder works in it before it writes the frame.
  std::uint64_t output_bytes;
  std::uint64_t scratch_bytes;
};

/// One encoding, in memory of the caller: device memory for Executor::gpu, host memory for Executor::simt.
struct EncodeRequest {
  EncodeSettings settings;
  /// settings.input_bytes bytes, at any address.
  const std::uint8_t* input;
  /// EncodeSpace::output_bytes bytes, aligned to encode_alignment. The frame starts at its first byte.
  std::uint8_t* output;
  /// EncodeSpace::scratch_bytes bytes, aligned to encode_alignment; what it holds is lost.
  std::uint8_t* scratch;
  /// block_count() words, set to EncodedBlock values.
  std::uint32_t* status;
  /// One word, set to the number of bytes of the frame.
  std::uint64_t* frame_bytes;
  /// A cudaStream_t; nullptr for the default stream and for Executor::simt.
  void* stream;
};

/// A part of the encoding that can be timed by itself. `enqueue` puts it on the request's stream: it
/// allocates nothing and synchronises nothing. Throws std::invalid_argument for settings that the stage does
/// not take.
struct EncodePhase {
  std::string name;
  void (*enqueue)(const EncodeRequest& request);
};

/// A stage's encoder on one executor. An encoding is train() or load_tables(), and then all phases in their
/// order.
struct Encoder {
  /// Throws std::invalid_argument as EncodePhase does.
  EncodeSpace (*space)(const EncodeSettings& settings);
  /// Trains one table for each table_count(), and makes the kernel's lookup tables of them in the scratch
  /// memory. On the host it waits for the stream; on the executor it is enqueued, as a phase is.
  void (*train)(const EncodeRequest& request);
  /// Whether train() trains on the executor.
  bool (*trains_on_executor)(const EncodeSettings& settings);
  /// Makes the kernel's lookup tables of `tables`, table_count() of them or one for all blocks, and enqueues
  /// their copy to the scratch memory. Any table will do; symbols that find no place in the lookup tables are
  /// not used.
  void (*load_tables)(const EncodeRequest& request, std::span<const format::SymbolTable> tables);
  /// As load_tables() for a request whose settings have tiles: `table` is for codes of that width. Blocks
  /// with bytes that have no code are stored as they are. nullptr if the stage does not write format tiles.
  void (*load_tile_table)(const EncodeRequest& request, const format::TileTable& table) = nullptr;
  /// The table of each table_count(), trained or loaded; none for format tiles. Waits for the stream.
  std::vector<format::SymbolTable> (*tables)(const EncodeRequest& request);
  std::vector<EncodePhase> phases;
};

/// Whether the stage, which encodes, writes format tiles too.
bool writes_tiles(const RegisteredStage& stage);

}  // namespace gsst::stage
