#pragma once

#include <cstddef>
#include <cstdint>

namespace gsst::stage {

/// Address alignment of each piece of scratch memory, in bytes: what a GPU allocates has it.
inline constexpr std::size_t scratch_alignment = 256;

/// Hands out pieces of scratch memory one after the other, each aligned to scratch_alignment. The same calls
/// on a null pointer say how much memory they need.
class ScratchLayout {
public:
  explicit ScratchLayout(std::uint8_t* scratch) : scratch_(scratch) {}

  /// Room for `count` values; nullptr if the layout stands on no memory.
  template <typename Value>
  Value* take(std::uint64_t count) {
    auto* const place = scratch_ == nullptr ? nullptr : reinterpret_cast<Value*>(scratch_ + bytes_);
    bytes_ += (count * sizeof(Value) + scratch_alignment - 1) / scratch_alignment * scratch_alignment;
    return place;
  }

  /// Bytes that were handed out.
  std::uint64_t bytes() const { return bytes_; }

private:
  std::uint8_t* scratch_;
  std::uint64_t bytes_ = 0;
};

}  // namespace gsst::stage
