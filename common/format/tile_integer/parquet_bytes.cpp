#include "common/format/tile_integer/parquet_bytes.hpp"

#include <algorithm>

namespace gsst::format::tile_integer {

ParquetNumber ParquetBytes::number(std::uint64_t most) {
  constexpr unsigned bits_of_byte = 7;
  constexpr unsigned last_shift = 63;
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift <= last_shift; shift += bits_of_byte) {
    if (rest_.empty()) return {ParquetNumber::State::ends, 0};
    const std::uint8_t byte = rest_.front();
    rest_ = rest_.subspan(1);
    // Of the tenth byte, one bit is left.
    if (shift == last_shift && byte > 1) return {ParquetNumber::State::too_large, 0};
    value |= std::uint64_t{byte & 0x7fU} << shift;
    if (byte < 0x80) {
      return {value > most ? ParquetNumber::State::too_large : ParquetNumber::State::read, value};
    }
  }
  return {ParquetNumber::State::too_large, 0};
}

std::optional<std::span<const std::uint8_t>> ParquetBytes::take(std::uint64_t count) {
  if (count > rest_.size()) return std::nullopt;
  const auto taken = rest_.first(static_cast<std::size_t>(count));
  rest_ = rest_.subspan(taken.size());
  return taken;
}

ParquetRun read_run(ParquetBytes& bytes, std::uint32_t width, std::uint32_t expected) {
  ParquetRun run = {
      .status = ParquetStatus::decoded, .values = 0, .is_packed = false, .value = 0, .packed = {}};
  const auto failed = [&run](ParquetStatus status) {
    run.status = status;
    return run;
  };
  const ParquetNumber header = bytes.number(0xffffffff);
  if (header.state == ParquetNumber::State::ends) return failed(ParquetStatus::run_header_ends);
  if (header.state == ParquetNumber::State::too_large) return failed(ParquetStatus::run_header_too_large);
  run.is_packed = header.value % 2 == 1;
  // Of values, or of groups of 8.
  const std::uint64_t length = header.value / 2;
  if (length == 0) return failed(ParquetStatus::run_empty);
  if (length > (run.is_packed ? (std::uint64_t{expected} + 7) / 8 : expected)) {
    return failed(ParquetStatus::run_too_long);
  }
  const auto taken = bytes.take(run.is_packed ? length * width : (width + 7) / 8);
  if (!taken) return failed(ParquetStatus::run_ends);
  if (run.is_packed) {
    run.values = static_cast<std::uint32_t>(std::min<std::uint64_t>(length * 8, expected));
    run.packed = *taken;
    return run;
  }
  run.values = static_cast<std::uint32_t>(length);
  for (std::size_t i = 0; i < taken->size(); ++i) run.value |= std::uint32_t{(*taken)[i]} << (8 * i);
  if (width < 32 && run.value >> width != 0) return failed(ParquetStatus::run_value_too_large);
  return run;
}

std::uint64_t packed_value(std::span<const std::uint8_t> packed, std::uint64_t index, std::uint32_t width) {
  std::uint64_t value = 0;
  for (std::uint32_t bit = 0; bit < width; ++bit) {
    const std::uint64_t place = index * width + bit;
    value |= std::uint64_t{packed[static_cast<std::size_t>(place / 8)] >> (place % 8) & 1U} << bit;
  }
  return value;
}

}  // namespace gsst::format::tile_integer
