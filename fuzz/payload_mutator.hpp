#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "common/format/block_format.hpp"
#include "common/frame/frame.hpp"
#include "common/stage/ranges.hpp"
#include "fuzz/random.hpp"
#include "reference_cpu/codec.hpp"
#include "stages/suite/range_oracle.hpp"

/// What the fuzzers know of the payloads of a format. Every registered format is fuzzed; without a mutator of
/// its own by changes of bytes. A series brings mutators in a folder fuzz/<series>/ with a file mutators.cpp,
/// which defines `std::span<const FormatMutator> mutators_of_<series>()`. CMake makes the table of these
/// functions (cmake/GsstSeries.cmake); nothing else names a series. Tests of the folder, `*_test.cpp`, and
/// fuzzers of its own, fuzzers/fuzz_<what>.cpp, are found there too.
namespace gsst::fuzz {

/// A block of a frame: what its record says of the payload, and the payload, valid or not.
struct Block {
  format::BlockLayout layout;
  std::vector<std::uint8_t> bytes;
};

/// Blocks that a batch's others are made from.
struct Seeds {
  /// Of the frame that holds the batch. Every block decodes to header.block_size bytes, or says so.
  format::FrameHeader header;
  /// Not empty.
  std::vector<Block> blocks;
};

/// How payloads of one format are made and changed. All members have a default that knows no format. Objects
/// are constants of the format's series and keep nothing: the arguments decide all.
class PayloadMutator {
public:
  /// `count` blocks for kernels to decode, nearly all of them valid. The default has codec.encode() make them
  /// of text, runs and random bytes, with options chosen at random.
  virtual Seeds make_seeds(const reference::Codec& codec, std::size_t count, Random& random) const;

  /// A changed copy of one of `seeds`, which make_seeds() has made. Most of the copies should pass the rules'
  /// check of payloads: what it refuses never reaches a kernel. The default changes bytes, the length and the
  /// layout, and copies from other seeds.
  virtual Block change(const Seeds& seeds, Random& random) const;

  /// `block`, which may be damaged, as the one that follows `earlier`, which the rules accept, in a frame
  /// with `header`: changed to be decoded with what one of these holds. The default, and for formats whose
  /// blocks stand alone: nothing.
  virtual std::optional<Block> with_earlier_part(const Block& block, std::span<const Block> earlier,
                                                 const format::FrameHeader& header, Random& random) const;

  /// Makes right what a changed block, which is not raw and may be damaged in any way, says of itself a
  /// second time: sizes that follow from that of the payload, and what the frame's header says too, which may
  /// be damaged as well. Returns the uncompressed bytes for the block's record, of which `stated` are in it
  /// now. Now and then leaves a repair out. The default changes nothing.
  virtual std::uint32_t repair_fields(Block& block, const format::FrameHeader& header, std::uint32_t stated,
                                      Random& random) const;

  /// The same for sizes that need the codes to be looked at. Parses and decodes; keeps the payload's size.
  virtual std::uint32_t repair_output_size(Block& block, std::uint32_t stated) const;

  /// A format with files of its own, in no frame: makes sizes in the changed `file` right again. The default
  /// changes nothing.
  virtual void repair_file(std::span<std::uint8_t> file) const;

  /// Decompresses `file` by another way than Codec::decode(), whose output is compared with it. Throws
  /// format::FormatError. The default, for who has none: nothing.
  virtual std::optional<std::vector<std::uint8_t>> decode_otherwise(std::span<const std::uint8_t> file) const;

  /// Whether `word`, which a decoder has left for a block or a range, says that it is refused for its codes.
  /// The default knows the statuses of common/format/block_status.hpp.
  virtual bool is_problem(std::uint32_t word) const;

  /// What a decoder of ranges may leave of `range`, which lies in the output of `frame`, which the rules
  /// accept, and reaches into a block that does not decode. The default asks that it is refused.
  virtual stage::RangeOracle ask_range(const format::FrameView& frame, const stage::ByteRange& range) const;

protected:
  // Nobody owns a mutator by a pointer to this class.
  ~PayloadMutator() = default;
};

/// The mutator of a format.
struct FormatMutator {
  format::BlockFormat format;
  const PayloadMutator* mutator;
};

/// The mutators of a series.
using MutatorsOfSeries = std::span<const FormatMutator> (*)();

/// The functions of all series that have mutators.
std::span<const MutatorsOfSeries> series_with_mutators();

/// The mutator of `format`: that of its series, else the one that knows no format.
const PayloadMutator& mutator_of(format::BlockFormat format);

}  // namespace gsst::fuzz
