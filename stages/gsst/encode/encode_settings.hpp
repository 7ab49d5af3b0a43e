#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "common/format/gsst/symbol_table.hpp"
#include "common/format/gsst/tiles.hpp"
#include "common/stage/plan.hpp"
#include "common/stage/scratch_layout.hpp"
#include "common/stage/stage.hpp"

/// What the encoders of this series are asked to do.
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
inline constexpr std::size_t encode_alignment = scratch_alignment;

/// Each execution trains the tables on its input: in a phase named training_phase where the executor can,
/// else in Plan::prepare(), on the host.
struct TrainedTables {};

/// The state holds tables already: those of another plan of the same settings.
struct ReadyTables {};

/// Where an encoding takes its symbol tables from. Given tables are loaded by Plan::prepare(): for format
/// splits table_count() of them or one for all blocks, for format tiles one for codes of the settings' width.
/// Any table will do: symbols that find no place in the kernel's lookup tables are not used, and blocks of
/// tiles with bytes that have no code are stored as they are.
using EncodeTables =
    std::variant<TrainedTables, ReadyTables, std::vector<format::SymbolTable>, format::TileTable>;

/// What is encoded, and how.
struct EncodeSubject {
  EncodeSettings settings;
  EncodeTables tables = TrainedTables();
};
}  // namespace gsst::stage
