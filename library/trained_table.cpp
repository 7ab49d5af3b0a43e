#include "library/trained_table.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "common/format/bytes.hpp"
#include "common/format/error.hpp"
#include "common/frame/checksum.hpp"
#include "library/decompress_plan.hpp"
#include "library/failure.hpp"
#include "reference_cpu/decoder.hpp"
#include "reference_cpu/fast_decoder.hpp"
#include "reference_cpu/sample.hpp"
#include "reference_cpu/train.hpp"

namespace gsst::library {
namespace {

using Bytes = std::span<const std::uint8_t>;

// A saved table: this, the version in 4 bytes, a table as frames store it, and the checksum of all of that.
constexpr std::array<std::uint8_t, 8> magic = {0x89, 'G', 'S', 'S', 'B', '\r', '\n', 0x1a};
constexpr std::uint32_t table_version = 1;
constexpr std::size_t version_bytes = 4;
constexpr std::size_t head_bytes = magic.size() + version_bytes;
constexpr std::size_t checksum_bytes = 8;
constexpr std::size_t id_bytes = 4;
// Codes of shorter texts are written on the stack.
constexpr std::size_t short_text_bytes = 4096;

// Pieces of `samples` as draw_sample() draws them of one input: no piece goes over the end of a sample.
std::vector<Bytes> draw_pieces(std::span<const Bytes> samples) {
  std::uint64_t total = 0;
  for (const Bytes sample : samples) total += sample.size();
  std::vector<Bytes> pieces;
  if (total <= reference::sample_bytes) {
    std::ranges::copy_if(samples, std::back_inserter(pieces), [](Bytes sample) { return !sample.empty(); });
    return pieces;
  }
  constexpr std::uint64_t parts = reference::sample_bytes / reference::sample_chunk_bytes;
  std::size_t number = 0;
  // Where the sample of that number starts in all of them.
  std::uint64_t start = 0;
  for (std::uint64_t part = 0; part < parts; ++part) {
    std::uint64_t at = reference::sample_chunk_begin(part, total / parts, reference::default_training_seed);
    const std::uint64_t end = at + reference::sample_chunk_bytes;
    while (at < end) {
      while (start + samples[number].size() <= at) start += samples[number++].size();
      const Bytes rest = samples[number].subspan(at - start);
      pieces.push_back(rest.first(std::min<std::size_t>(rest.size(), end - at)));
      at += pieces.back().size();
    }
  }
  return pieces;
}

std::vector<std::uint8_t> save(const format::SymbolTable& table) {
  const std::size_t stored_bytes = format::stored_symbol_table_bytes(table);
  std::vector<std::uint8_t> saved(head_bytes + stored_bytes + checksum_bytes);
  std::ranges::copy(magic, saved.begin());
  format::store_little_endian<version_bytes>(saved.data() + magic.size(), table_version);
  format::write_symbol_table(table, std::span(saved).subspan(head_bytes, stored_bytes));
  const Bytes checked = std::span(saved).first(head_bytes + stored_bytes);
  format::store_little_endian<checksum_bytes>(saved.data() + checked.size(), format::checksum(checked));
  return saved;
}

// The codes of a value, or its text.
struct ParsedValue {
  bool is_raw;
  Bytes bytes;
};

ParsedValue parse_value(Bytes value, std::uint32_t table_id) {
  if (value.empty())
    throw format::FormatError(std::nullopt, "value kind", "is missing: the value has no bytes");
  const Bytes rest = value.subspan(1);
  switch (static_cast<ValueKind>(value[0])) {
    case ValueKind::raw:
      return {.is_raw = true, .bytes = rest};
    case ValueKind::codes:
      return {.is_raw = false, .bytes = rest};
    case ValueKind::named_codes:
      break;
    default:
      throw ApiError(GSST_ERROR_UNSUPPORTED_VERSION,
                     "value kind: is " + std::to_string(value[0]) + ", this library knows 0 to 2");
  }
  if (rest.size() < id_bytes) {
    throw format::FormatError(std::nullopt, "table id",
                              "truncated: " + std::to_string(rest.size()) + " bytes left, it takes 4");
  }
  const auto named = static_cast<std::uint32_t>(format::load_little_endian<id_bytes>(rest.data()));
  if (named != table_id) {
    throw std::invalid_argument("table id: the value is of table " + std::to_string(named) +
                                ", this is table " + std::to_string(table_id));
  }
  return {.is_raw = false, .bytes = rest.subspan(id_bytes)};
}

[[noreturn]] void refuse_codes(reference::DecodeProblem problem) {
  throw format::FormatError(std::nullopt, "codes", reference::describe(problem));
}

}  // namespace

TrainedTable::TrainedTable(const format::SymbolTable& table, std::vector<std::uint8_t> saved)
    : table_(table), encoder_(table), saved_(std::move(saved)) {}

TrainedTable TrainedTable::train(std::span<const Bytes> samples) {
  const format::SymbolTable table = reference::train_on_sample(draw_pieces(samples));
  return {table, save(table)};
}

TrainedTable TrainedTable::load(Bytes saved) {
  if (saved.size() < magic.size() || !std::ranges::equal(saved.first(magic.size()), magic)) {
    throw WrongFormat("this is not a gsst table");
  }
  if (saved.size() < head_bytes + checksum_bytes) {
    throw format::FormatError(std::nullopt, "table",
                              "truncated: it has " + std::to_string(saved.size()) + " bytes");
  }
  const std::uint64_t version = format::load_little_endian<version_bytes>(saved.data() + magic.size());
  if (version != table_version) {
    throw ApiError(GSST_ERROR_UNSUPPORTED_VERSION,
                   "table version: is " + std::to_string(version) + ", this library knows 1");
  }
  const Bytes checked = saved.first(saved.size() - checksum_bytes);
  if (format::load_little_endian<checksum_bytes>(saved.data() + checked.size()) !=
      format::checksum(checked)) {
    throw format::FormatError(std::nullopt, "table checksum", "differs from that of the table");
  }
  const Bytes stored = checked.subspan(head_bytes);
  const format::ParsedSymbolTable parsed = format::parse_symbol_table(stored, std::nullopt);
  if (parsed.stored_bytes != stored.size()) {
    throw format::FormatError(
        std::nullopt, "table",
        std::to_string(stored.size() - parsed.stored_bytes) + " bytes are left behind its symbols");
  }
  return {parsed.table, {saved.begin(), saved.end()}};
}

std::uint32_t TrainedTable::id() const {
  return static_cast<std::uint32_t>(
      format::load_little_endian<id_bytes>(saved_.data() + saved_.size() - checksum_bytes));
}

std::size_t TrainedTable::compress(Bytes input, bool names_table, std::span<std::uint8_t> output) const {
  const std::size_t most = reference::Encoder::max_encoded_bytes(input.size());
  std::array<std::uint8_t, reference::Encoder::max_encoded_bytes(short_text_bytes)> short_codes;
  std::unique_ptr<std::uint8_t[]> long_codes;
  if (input.size() > short_text_bytes) long_codes = std::make_unique_for_overwrite<std::uint8_t[]>(most);
  const std::span<std::uint8_t> codes(long_codes ? long_codes.get() : short_codes.data(), most);
  const std::size_t code_bytes = encoder_.encode_fast(input, codes);
  const std::size_t named_bytes = names_table ? id_bytes : 0;
  if (named_bytes + code_bytes >= input.size()) {
    output[0] = static_cast<std::uint8_t>(ValueKind::raw);
    std::ranges::copy(input, output.begin() + 1);
    return 1 + input.size();
  }
  output[0] = static_cast<std::uint8_t>(names_table ? ValueKind::named_codes : ValueKind::codes);
  if (names_table) format::store_little_endian<id_bytes>(output.data() + 1, id());
  std::memcpy(output.data() + 1 + named_bytes, codes.data(), code_bytes);
  return 1 + named_bytes + code_bytes;
}

std::uint64_t TrainedTable::text_bytes(Bytes value) const {
  const ParsedValue parsed = parse_value(value, id());
  if (parsed.is_raw) return parsed.bytes.size();
  const reference::DecodedSize size = reference::decoded_size(table_, parsed.bytes);
  if (size.problem != reference::DecodeProblem::none) refuse_codes(size.problem);
  return size.bytes;
}

void TrainedTable::decompress(Bytes value, std::span<std::uint8_t> output) const {
  const ParsedValue parsed = parse_value(value, id());
  if (parsed.is_raw) {
    std::ranges::copy(parsed.bytes, output.begin());
    return;
  }
  const reference::DecodeProblem problem = reference::decode_fast(table_, parsed.bytes, output);
  if (problem != reference::DecodeProblem::none) refuse_codes(problem);
}

}  // namespace gsst::library
