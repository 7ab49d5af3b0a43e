#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "common/format/codag/status.hpp"

namespace gsst::reference::codag {

/// Reads the runs of a stream, byte by byte. What breaks a rule is thrown as FormatError naming the block and
/// the byte.
class RunReader {
public:
  /// `stream` is a part of a payload, from its byte `offset` on.
  RunReader(std::span<const std::uint8_t> stream, std::size_t offset, std::uint64_t block)
      : stream_(stream), offset_(offset), block_(block) {}

  bool at_end() const { return position_ == stream_.size(); }
  /// A run starts here: problems are named by it.
  void start_run() { run_ = position_; }
  /// Throws unless the block has room for so many values.
  void check_room(std::uint32_t values, std::uint32_t room) const;
  /// The next byte of the run.
  std::uint8_t byte();
  /// The number of the next varint.
  std::uint64_t varint();
  /// The next `bytes` bytes of the run, at most 8, the highest first.
  std::uint64_t big_endian(std::uint32_t bytes);
  /// The next bytes of the run.
  std::span<const std::uint8_t> bytes(std::size_t count);
  /// Throws: this is wrong with the run.
  [[noreturn]] void fail(format::codag::Problem problem) const;
  /// Throws unless the stream ends here, where the block has its last value, or where `values_left` are
  /// missing.
  void check_end(std::uint32_t values_left) const;

private:
  [[noreturn]] void fail_at(format::codag::Problem problem, std::size_t position) const;

  std::span<const std::uint8_t> stream_;
  std::size_t offset_;
  std::uint64_t block_;
  std::size_t position_ = 0;
  std::size_t run_ = 0;
};

}  // namespace gsst::reference::codag
