#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/format/tile_integer/for_rules.hpp"
#include "common/format/tile_integer/tile_integer.hpp"
#include "common/stage/encode_plans.hpp"
#include "common/stage/stage.hpp"

/// How the encoders of this series that run on the host's processors are written: a function of one block.
namespace gsst::tile_integer {

/// Writes the payload of `block` (FORMAT.md, section 12), with its padding, to the start of `room`, which has
/// the bytes of the raw block with its padding. Returns the bytes of the payload, or those of the room where
/// it is not smaller; then what the room holds does not matter. Both in host memory, at any address.
/// Allocates nothing; several threads may call it at the same time.
using EncodeIntegerBlock = std::size_t (*)(std::span<const std::uint8_t> block,
                                           format::tile_integer::Packing packing,
                                           format::tile_integer::Type type, std::span<std::uint8_t> room);

/// Plans of a stage for the executor cpu, which writes frames of all formats of the series with the bytes of
/// the codecs' frames; checksums of plans are xxh64. The stage's parameter `threads` says how many blocks a
/// plan encodes at the same time, 0 for one on each processor; for files their settings say it. The option
/// `type` is that of the codecs. The parts of a plan are those that stage::EncodePlans says: the state has no
/// bytes, the status a word for each block, always 0.
class HostEncodePlans final : public stage::EncodePlans {
public:
  HostEncodePlans(const stage::Description& description, EncodeIntegerBlock encode_block);

  std::span<const format::BlockFormat> formats() const override;
  void check(const stage::FileToEncode& file) const override;
  /// As many blocks at the same time as the memory holds, with what they become.
  format::EncodeTotals encode(const stage::FileToEncode& file, const format::ReadFunction& read,
                              const format::WriteFunction& write,
                              const format::ProgressFunction& progress) const override;
  std::vector<std::pair<std::string, std::uint64_t>> describe(
      const stage::InputToEncode& input) const override;
  std::unique_ptr<stage::Plan> plan_of(const stage::InputToEncode& input) const override;

private:
  stage::Description description_;
  EncodeIntegerBlock encode_block_;
};

}  // namespace gsst::tile_integer
