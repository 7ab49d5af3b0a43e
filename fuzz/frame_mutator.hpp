#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

/// Changes frames so that the change reaches the code behind the checksums.
///
/// A frame guards every byte, so a changed one is nearly always rejected for a checksum or a size that no
/// longer agrees. The mutator takes a frame apart, changes one part, and puts it together with sizes, index
/// and checksums made right. Each repair is left out now and then, so that the checks themselves stay tested.
namespace gsst::fuzz {

/// Changes the first bytes of a buffer in place and returns how many there are now: libFuzzer's own mutation.
using MutateBytes = std::function<std::size_t(std::uint8_t* bytes, std::size_t size, std::size_t max_size)>;

/// A changed copy of `frame`, which starts with the magic of a frame and may be damaged in any way.
std::vector<std::uint8_t> mutate_frame(std::span<const std::uint8_t> frame, unsigned seed,
                                       const MutateBytes& mutate);

/// A copy of `frame` with new checksums of its blocks' outputs, and with sizes of the outputs where the
/// format's mutator knows them. This parses and decodes, so it belongs into the target: a crash in a mutator
/// leaves no input that shows it again.
std::vector<std::uint8_t> with_repaired_outputs(std::span<const std::uint8_t> frame);

}  // namespace gsst::fuzz
