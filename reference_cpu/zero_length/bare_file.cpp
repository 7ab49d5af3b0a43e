#include "reference_cpu/zero_length/bare_file.hpp"

#include <map>
#include <string>
#include <utility>

#include "common/format/block_format.hpp"
#include "common/format/bytes.hpp"
#include "common/format/error.hpp"
#include "common/format/zero_length/zero_length.hpp"
#include "reference_cpu/zero_length/elements.hpp"

namespace gsst::reference::zero_length {

using format::FormatError;
using format::zero_length::bare_header_bytes;
using format::zero_length::bare_size_bytes;
using format::zero_length::Status;
using Bytes = std::vector<std::uint8_t>;

Bytes BareReader::read_bytes(std::uint64_t size) {
  Bytes bytes = format::read_up_to(read_, size);
  totals_.input_bytes += bytes.size();
  return bytes;
}

std::optional<BareReader::Stored> BareReader::read_block() {
  const std::uint64_t number = blocks_read_;
  const std::string place = " at byte " + std::to_string(totals_.input_bytes) + " of the file";
  const Bytes size_field = read_bytes(bare_size_bytes);
  if (size_field.empty()) throw FormatError(number, "guard block", "is missing: the file ends" + place);
  if (size_field.size() < bare_size_bytes) throw FormatError(number, "block size", "is cut short" + place);
  const std::uint64_t size = format::load_little_endian<8>(size_field.data());
  if (size == 0) {
    if (read_bytes(1).empty()) return std::nullopt;
    throw FormatError(number, "guard block", "is followed by more bytes, it is" + place);
  }
  constexpr std::uint64_t most = format::zero_length::max_bare_block_bytes(format::max_block_bytes);
  if (size < bare_header_bytes || size > most) {
    throw FormatError(number, "block size",
                      "is " + std::to_string(size) + place + ", expected 0 or " +
                          std::to_string(bare_header_bytes) + " to " + std::to_string(most));
  }
  Bytes rest = read_bytes(size - bare_size_bytes);
  if (rest.size() < size - bare_size_bytes) {
    throw FormatError(number, "block size",
                      "is " + std::to_string(size) + place + ", the file ends after " +
                          std::to_string(bare_size_bytes + rest.size()));
  }
  const std::uint64_t index = format::load_little_endian<8>(rest.data());
  rest.erase(rest.begin(), rest.begin() + (bare_header_bytes - bare_size_bytes));
  ++blocks_read_;
  return Stored{.number = number, .index = index, .elements = std::move(rest)};
}

Bytes BareReader::decode_next(const Stored& stored) {
  const bool is_first = stored.index == 0;
  if (!is_first && (last_bytes_ == 0 || last_bytes_ < block_bytes_)) {
    throw FormatError(stored.number, "block index",
                      "is " + std::to_string(stored.index) + ", the block before it has " +
                          std::to_string(last_bytes_) + " bytes, as only the last one may");
  }
  const std::uint64_t most = is_first ? format::max_block_bytes : block_bytes_;
  DecodedElements decoded = decode_elements(stored.elements, most);
  if (decoded.status != Status::decoded) {
    std::string problem = format::zero_length::problem_of(decoded.status);
    if (decoded.status == Status::output_too_long) {
      problem = "decode to more than " + std::to_string(most) + " bytes, the block size";
    }
    throw FormatError(stored.number, "elements",
                      problem + ", at byte " + std::to_string(decoded.position) + " of them");
  }
  last_bytes_ = decoded.bytes.size();
  if (is_first) block_bytes_ = last_bytes_;
  return std::move(decoded.bytes);
}

format::StreamTotals BareReader::read_all(const Take& take, const format::ProgressFunction& progress) {
  std::map<std::uint64_t, Stored> waiting;
  while (std::optional<Stored> stored = read_block()) {
    const std::uint64_t index = stored->index;
    if (index < totals_.blocks || waiting.contains(index)) {
      throw FormatError(stored->number, "block index",
                        "is " + std::to_string(index) + ", which an earlier block has");
    }
    waiting.emplace(index, std::move(*stored));
    while (!waiting.empty() && waiting.begin()->first == totals_.blocks) {
      const Bytes output = decode_next(waiting.begin()->second);
      take(output);
      totals_.output_bytes += output.size();
      ++totals_.blocks;
      waiting.erase(waiting.begin());
      if (progress) progress(totals_);
    }
  }
  if (!waiting.empty()) {
    throw FormatError(std::nullopt, "block index",
                      std::to_string(totals_.blocks) + " is missing, " +
                          std::to_string(waiting.begin()->first) + " is there");
  }
  return totals_;
}

}  // namespace gsst::reference::zero_length
