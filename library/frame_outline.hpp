#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

namespace gsst::library {

/// What of a frame of format tiles says where everything is, copied from memory that the host does not read:
/// header, index, records and, of each block, all but its codes. In it the frame is as long as there, with
/// zeros in place of codes, so that what checks and plans a frame in host memory takes it. Memory that is
/// zero is reserved, not used.
class FrameOutline {
public:
  /// Copies `to.size()` bytes of the frame, from byte `offset` on, to `to`. They are in the frame.
  using Read = std::function<void(std::span<std::uint8_t> to, std::uint64_t offset)>;

  /// Of a frame of `frame_bytes` bytes. Checks its format alone: of a damaged frame there may be zeros in
  /// place of what is not found, and parse_frame() or the check of a block refuses it. No byte is read more
  /// than twice. Throws WrongFormat, format::FormatError for a header that is damaged, and what `read`
  /// throws.
  FrameOutline(std::uint64_t frame_bytes, const Read& read);

  /// The whole frame.
  std::span<const std::uint8_t> frame() const { return {memory_.get(), frame_bytes_}; }

private:
  struct Unmap {
    std::uint64_t bytes;
    void operator()(std::uint8_t* memory) const;
  };
  using Memory = std::unique_ptr<std::uint8_t, Unmap>;

  static Memory reserve(std::uint64_t bytes);
  std::span<std::uint8_t> part(std::uint64_t begin, std::uint64_t end);
  void read_blocks(std::uint64_t index_begin, const Read& read);

  std::uint64_t frame_bytes_;
  Memory memory_;
};

}  // namespace gsst::library
