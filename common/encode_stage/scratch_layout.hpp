#pragma once

#include <cstddef>
#include <cstdint>

#include "common/encode_stage/encode_stage.hpp"

namespace gsst::stage {

/// Hands out pieces of scratch memory one after the other, each aligned to encode_alignment. The same calls
/// on a null pointer say how much memory they need.
class ScratchLayout {
public:
  explicit ScratchLayout(std::uint8_t* scratch) : scratch_(scratch) {}

  /// Room for `count` values; nullptr if the layout stands on no memory.
  template <typename Value>
  Value* take(std::uint64_t count) {
    auto* const place = scratch_ == nullptr ? nullptr : reinterpret_cast<Value*>(scratch_ + bytes_);
    bytes_ += (count * sizeof(Value) + encode_alignment - 1) / encode_alignment * encode_alignment;
    return place;
  }

  /// Bytes that were handed out.
  std::uint64_t bytes() const { return bytes_; }

private:
  std::uint8_t* scratch_;
  std::uint64_t bytes_ = 0;
};

}  // namespace gsst::stage
