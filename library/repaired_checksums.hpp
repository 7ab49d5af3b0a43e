#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "common/frame/checksum.hpp"
#include "common/frame/frame.hpp"

/// For tests: changed frames whose checksums do not give the change away.
namespace gsst::library {

/// Writes the checksums of the frame header and of the index again, where they are found, so that what they
/// cover is looked at. FORMAT.md, section 6.
inline void repair_checksums(std::vector<std::uint8_t>& frame) {
  using namespace format;
  constexpr std::size_t ends_bytes = frame_header_bytes + frame_trailer_bytes;
  constexpr std::size_t checksum_bytes = sizeof(std::uint64_t);
  constexpr std::size_t header_checksum = frame_header_bytes - checksum_bytes;
  if (frame.size() < ends_bytes) return;
  const auto write = [&](std::size_t offset, std::uint64_t value) {
    std::memcpy(frame.data() + offset, &value, sizeof value);
  };
  write(header_checksum, checksum(std::span(frame).first(header_checksum)));
  std::uint64_t index_bytes = 0;
  std::memcpy(&index_bytes, frame.data() + frame.size() - 16, sizeof index_bytes);
  if (index_bytes < record_header_bytes || index_bytes > frame.size() - ends_bytes) return;
  const std::size_t index = frame.size() - frame_trailer_bytes - index_bytes;
  const auto kind = frame[12] == 2 ? ChecksumKind::xxh64_tree : ChecksumKind::xxh64;
  const auto payload =
      std::span(frame).subspan(index + record_header_bytes, index_bytes - record_header_bytes);
  write(index + record_header_bytes - checksum_bytes, checksum(kind, payload));
}

}  // namespace gsst::library
