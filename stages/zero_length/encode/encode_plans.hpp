#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/format/encoding.hpp"
#include "common/stage/encode_plans.hpp"
#include "common/stage/stage.hpp"

/// How the encoders of this series that run on the host are written: a function of one block.
namespace gsst::zero_length {

/// Writes the elements of `block` (FORMAT.md, section 11), in format zle_markers after their markers, or in
/// format zle_dictionary its payload, to the start of `elements`, and returns the bytes; the block's bytes or
/// more where it is to be stored raw. `elements` has reference::zero_length::encoding_room() of the block's
/// size, all of which it may use while it works. Both in host memory, at any address. Allocates nothing;
/// several threads may call it at the same time.
using EncodeElements = std::size_t (*)(std::span<const std::uint8_t> block, std::span<std::uint8_t> elements);

/// How a stage encodes the blocks of an input.
struct BlockEncoder {
  EncodeElements encode;
  /// Threads that call it at the same time; 0 is one for each processor. With 1 a stage has one thread
  /// whatever the settings of a file say.
  unsigned threads;
};

/// How a stage encodes with these parameters, which are all its own, and these options, which are the
/// codec's.
using ChooseBlockEncoder = BlockEncoder (*)(const stage::ParameterValues& parameters,
                                            const format::CodecOptions& options);

/// Plans of a stage for the executor cpu. Writes the same bytes as the codecs: frames and bare files where
/// the stage's format is zle, else frames of its format. One thread encodes each block to its place in the
/// output. Several encode a batch of blocks, each to its own memory, and copy them to their places, which
/// follow from the sizes of those before (thesis 3.4, which writes blocks in the order in which threads end).
/// A file is read, encoded and written batch by batch. The parts of a plan are those that stage::EncodePlans
/// says: the state is the memory for a batch, without bytes for one thread; the status has a word for each
/// block, always 0. The output takes the largest file and, in a frame, the room of the encoder while it is
/// not known whether the last block's elements pay. Checksums are xxh64.
class HostEncodePlans final : public stage::EncodePlans {
public:
  HostEncodePlans(const stage::Description& description, ChooseBlockEncoder choose);

  std::span<const format::BlockFormat> formats() const override;
  void check(const stage::FileToEncode& file) const override;
  format::EncodeTotals encode(const stage::FileToEncode& file, const format::ReadFunction& read,
                              const format::WriteFunction& write,
                              const format::ProgressFunction& progress) const override;
  std::vector<std::pair<std::string, std::uint64_t>> describe(
      const stage::InputToEncode& input) const override;
  std::unique_ptr<stage::Plan> plan_of(const stage::InputToEncode& input) const override;

private:
  stage::Description description_;
  ChooseBlockEncoder choose_;
};

}  // namespace gsst::zero_length
