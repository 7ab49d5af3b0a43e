#include "reference_cpu/codag/run_reader.hpp"

#include "common/format/codag/codag.hpp"
#include "common/format/error.hpp"

namespace gsst::reference::codag {

using format::codag::Problem;

void RunReader::check_room(std::uint32_t values, std::uint32_t room) const {
  if (values > room) fail(Problem::too_many_values);
}

std::uint8_t RunReader::byte() {
  if (at_end()) fail(Problem::cut_run);
  return stream_[position_++];
}

std::uint64_t RunReader::varint() {
  std::uint64_t number = 0;
  for (std::uint32_t i = 0; i < format::codag::max_varint_bytes; ++i) {
    const std::uint8_t next = byte();
    number |= std::uint64_t{next & 0x7fU} << 7 * i;
    if (i + 1 == format::codag::max_varint_bytes && next > format::codag::max_last_varint_byte) break;
    if (next < 0x80) return number;
  }
  fail(Problem::overlong_varint);
}

std::uint64_t RunReader::big_endian(std::uint32_t bytes) {
  std::uint64_t number = 0;
  for (std::uint32_t i = 0; i < bytes; ++i) number = number << 8 | byte();
  return number;
}

std::span<const std::uint8_t> RunReader::bytes(std::size_t count) {
  if (count > stream_.size() - position_) fail(Problem::cut_run);
  position_ += count;
  return stream_.subspan(position_ - count, count);
}

void RunReader::fail(Problem problem) const {
  fail_at(problem, run_);
}

void RunReader::check_end(std::uint32_t values_left) const {
  if (values_left != 0) fail_at(Problem::too_few_values, position_);
  if (!at_end()) fail_at(Problem::bytes_left, position_);
}

void RunReader::fail_at(Problem problem, std::size_t position) const {
  const format::StatusText text = format::codag::describe_problem(problem, offset_ + position);
  throw format::FormatError(block_, text.field, text.problem);
}

}  // namespace gsst::reference::codag
