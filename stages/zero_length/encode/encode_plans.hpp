#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/stage/encode_plans.hpp"
#include "common/stage/stage.hpp"

/// How the encoders of this series that run on the host are written: a function of one block.
namespace gsst::zero_length {

/// Writes the elements of `block` (FORMAT.md, section 11) to the start of `elements`, which has
/// format::zero_length::max_elements_bytes() of its size, and returns their bytes. Both in host memory, at
/// any address. Allocates nothing; several threads may call it at the same time.
using EncodeElements = std::size_t (*)(std::span<const std::uint8_t> block, std::span<std::uint8_t> elements);

/// Plans of a stage for the executor cpu that calls such a function for one block after the other. Writes
/// frames and bare files, the same bytes as the codecs. The parts of a plan are those that
/// stage::EncodePlans says, the state without bytes and the status with a word for each block, always 0. The
/// output takes the largest file and, in a frame, the elements of the last block while it is not known
/// whether they pay. Checksums are xxh64.
class HostEncodePlans final : public stage::EncodePlans {
public:
  HostEncodePlans(const stage::Description& description, EncodeElements encode_elements);

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
  EncodeElements encode_;
};

}  // namespace gsst::zero_length
