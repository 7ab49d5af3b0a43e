#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "common/format/gsst/symbol_table.hpp"
#include "common/format/gsst/tiles.hpp"
#include "common/stage/plan.hpp"
#include "common/stage/stage.hpp"

/// What a stage that encodes is to the rest of the repository: a description, and what makes its plans. It
/// registers itself from its own folder (common/stage/registry.hpp); nothing else names it.
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

inline constexpr std::string_view training_phase = "training";

/// What is encoded, and how.
struct EncodeSubject {
  EncodeSettings settings;
  EncodeTables tables = TrainedTables();
};

/// Plans of an encoder. Their parts are, in this order,
///   input        input    settings.input_bytes bytes, at any address
///   output       output   aligned to encode_alignment: at least the largest frame, and more where the
///   encoder
///                         works in it before it writes the frame, which starts at its first byte
///   tables       state    aligned to encode_alignment: the tables, and scratch memory beside them
///   status       status   a word for each block, aligned to 4, set to EncodedBlock values
///   frame_bytes  result   one word of 8 bytes, set to the number of bytes of the frame
/// Plan::check() counts the bytes of the frame.
struct EncodePlans {
  /// Throws std::invalid_argument for settings that are out of range, and for tables that are not for them.
  std::function<std::unique_ptr<Plan>(const EncodeSubject& subject)> make;
  /// Reads the table of each table_count() from the state of an execution; none for format tiles. Waits for
  /// the stream.
  std::function<std::vector<format::SymbolTable>(const EncodeSettings& settings, std::span<const Given> given,
                                                 Stream stream)>
      tables;
  bool writes_tiles = false;
};

/// Whether `plan`, of TrainedTables, trains them on the executor.
bool trains_on_executor(const Plan& plan);

struct RegisteredStage;

/// Whether the stage, which encodes, writes format tiles too.
bool writes_tiles(const RegisteredStage& stage);

}  // namespace gsst::stage
