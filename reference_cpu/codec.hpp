#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/format/block_format.hpp"
#include "common/format/encoding.hpp"
#include "common/format/payload_rules.hpp"
#include "common/format/stream.hpp"
#include "common/frame/frame.hpp"

/// What compresses and decompresses files of a format on the CPU, and is the oracle of its kernels. Each
/// series brings its own codecs: a folder reference_cpu/<series>/ with a file codecs.cpp, which defines
/// `std::span<const Codec* const> codecs_of_<series>()`. CMake makes the table of these functions
/// (cmake/GsstSeries.cmake); nothing else names a series.
namespace gsst::reference {

/// Something about the files of a format that is there to choose: an option of the command.
struct CodecOption {
  /// Without dashes: `code-bits` is --code-bits of the command. Options of several codecs with the same name
  /// are equal.
  std::string_view name;
  /// What --help says, in lines of at most 70 characters.
  std::string_view help;
  /// Accepted are the numbers from `least` to `most`, or those of `values` if there are any.
  std::uint64_t least = 0;
  std::uint64_t most = 0;
  std::span<const std::uint64_t> values = {};
  /// Names of the values, if they have any: those of 0, 1 and so on, in place of the above.
  std::span<const std::string_view> names = {};
};

using format::CodecOptions;
using format::EncodeSettings;
using format::EncodeTotals;

/// What a file says of itself.
struct FileListing {
  /// A number that files of the format have beside those of all.
  struct Number {
    /// Its name in reports; the column's in a table.
    std::string name;
    /// Nothing where this file has none.
    std::optional<std::uint64_t> value;
    bool has_column;
  };

  std::uint64_t blocks = 0;
  /// Uncompressed bytes of every block but the last; nothing where files do not say it.
  std::optional<std::uint64_t> block_bytes = {};
  std::vector<Number> numbers = {};
  std::uint64_t uncompressed_bytes = 0;
  /// The name of the blocks' checksum, if they have one.
  std::optional<std::string> checksum = {};
};

/// Compresses and decompresses files of one format. Objects are constants of the format's series.
class Codec {
public:
  struct Traits {
    format::BlockFormat format;
    /// What the names of files end with, with the dot.
    std::string_view suffix;
    /// A format whose blocks no frame holds: the tool whose files they are.
    std::string_view tool = {};
    /// Such a format: the first bytes of each file; empty where only a file's name says what it is.
    std::span<const std::uint8_t> magic = {};
    std::uint64_t max_block_bytes = format::max_block_bytes;
    /// Levels are 1 to this one; 0: there are none.
    unsigned max_level = 0;
    std::span<const CodecOption> options = {};
    /// Whether this is the thesis's format, as of CompressOptions, where the format does not matter: of one
    /// codec. What the command and the library compress to by default is cpu::default_format.
    bool is_default = false;
  };

  constexpr explicit Codec(const Traits& traits) : traits_(traits) {}

  const Traits& traits() const { return traits_; }
  /// The format's name.
  std::string_view name() const;
  /// Whether files are frames.
  bool is_framed() const;
  bool has_option(std::string_view option) const;

  /// Checks what options say together; each alone has been checked. Throws std::invalid_argument, whose
  /// message names the options as the command does.
  virtual void check(const EncodeSettings& settings) const = 0;

  /// Compresses the bytes of `read` into one file. `progress`, if not empty, is called now and then. Throws
  /// std::invalid_argument for settings out of range, and what `read` and `write` throw.
  virtual EncodeTotals encode(const format::ReadFunction& read, const format::WriteFunction& write,
                              const EncodeSettings& settings,
                              const format::ProgressFunction& progress) const = 0;

  /// Decompresses one file and checks all that it allows to check. Throws format::FormatError, and what
  /// `read` and `write` throw; output written before that is correct as far as it goes.
  virtual format::StreamTotals decode(const format::ReadFunction& read, const format::WriteFunction& write,
                                      unsigned threads, const format::ProgressFunction& progress) const = 0;

  /// Decompresses the payload of block `block`, which is not raw and which the pass of the format's rules has
  /// accepted as `expected`; `part` is what it has found (CheckedPayload). The oracle of each block, for
  /// fuzzing and tests. Throws format::FormatError naming `block` if the codes break a rule, and
  /// std::invalid_argument for a format whose blocks no frame holds.
  virtual std::vector<std::uint8_t> decode_payload(std::span<const std::uint8_t> payload,
                                                   const format::BlockExpectation& expected,
                                                   const format::PayloadPart& part,
                                                   std::uint64_t block) const = 0;

  /// Looks at `file`, all of it. Need not check the payloads. Throws format::FormatError.
  virtual FileListing list(std::span<const std::uint8_t> file) const = 0;

protected:
  // Nobody owns a codec by a pointer to this class.
  ~Codec() = default;

private:
  Traits traits_;
};

/// The codecs of a series.
using CodecsOfSeries = std::span<const Codec* const> (*)();

/// The functions of all series.
std::span<const CodecsOfSeries> series_with_codecs();

/// All codecs, by rising format id. Throws as format::registered_formats() does.
std::vector<const Codec*> registered_codecs();

/// The codec of a format. Throws std::invalid_argument if there is none.
const Codec& codec_of(format::BlockFormat format);

/// The codec whose traits have is_default.
const Codec& default_codec();

/// What the header and the index of a frame say, for all formats alike.
FileListing list_frame(const format::FrameView& frame);

/// Codec::encode() from memory to memory.
std::vector<std::uint8_t> encode_file(const Codec& codec, std::span<const std::uint8_t> input,
                                      const EncodeSettings& settings = {});

/// Codec::decode() from memory to memory.
std::vector<std::uint8_t> decode_file(const Codec& codec, std::span<const std::uint8_t> file,
                                      unsigned threads = 0);

}  // namespace gsst::reference
