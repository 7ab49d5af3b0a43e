#include "stages/codag/orc/orc_values.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "stages/codag/orc/orc_streams.hpp"
#include "stages/codag/orc/run_lengths.hpp"

namespace gsst::codag::orc {
namespace {

struct Limits {
  std::int64_t least;
  std::int64_t most;
};

template <typename Value>
constexpr Limits limits_of = {.least = std::numeric_limits<Value>::min(),
                              .most = std::numeric_limits<Value>::max()};

constexpr Limits limits_for(OrcValues values) {
  switch (values) {
    case OrcValues::boolean:
      return {.least = 0, .most = 1};
    case OrcValues::int8:
      return limits_of<std::int8_t>;
    case OrcValues::int16:
      return limits_of<std::int16_t>;
    case OrcValues::int32:
    case OrcValues::date:
      return limits_of<std::int32_t>;
    case OrcValues::int64:
      return limits_of<std::int64_t>;
    case OrcValues::indices:
      break;
  }
  return limits_of<std::uint32_t>;
}

constexpr bool is_in(const Limits& limits, std::int64_t value) {
  return value >= limits.least && value <= limits.most;
}

// The first `count` bits of `bytes`, the highest of a byte first, each as a byte of 0 or 1.
std::vector<std::int64_t> bits_of(std::span<const std::int64_t> bytes, std::uint64_t count) {
  std::vector<std::int64_t> bits(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < bits.size(); ++i) bits[i] = bytes[i / 8] >> (7 - i % 8) & 1;
  return bits;
}

// Writes a column stripe by stripe.
class ColumnDecoder {
public:
  ColumnDecoder(std::span<const std::uint8_t> file, const OrcColumn& column,
                std::optional<std::int64_t> null_value, const format::WriteFunction& write)
      : file_(file),
        column_(column),
        null_value_(null_value),
        write_(write),
        limits_(limits_for(column.values)) {
    if (null_value_ && !is_in(limits_, *null_value_)) {
      throw std::invalid_argument("--null: " + std::to_string(*null_value_) + " is no value of column '" +
                                  column_.name + "', which has " + std::to_string(limits_.least) + " to " +
                                  std::to_string(limits_.most));
    }
  }

  columns::ColumnTotals decode() {
    for (std::uint64_t i = 0; i < column_.stripes.size(); ++i) decode_stripe(i);
    const bool has_index = std::ranges::all_of(
        column_.stripes, [](const OrcStripe& stripe) { return !stripe.row_groups.empty(); });
    const std::string stripes =
        std::to_string(column_.stripes.size()) + (column_.stripes.size() == 1 ? " stripe" : " stripes");
    totals_.remark = stripes + (has_index ? "" : ", without a row index: a stripe is one block");
    return totals_;
  }

private:
  void decode_stripe(std::uint64_t index) {
    const OrcStripe& stripe = column_.stripes[index];
    std::vector<std::int64_t> present;
    std::uint64_t value_count = stripe.rows;
    if (stripe.present) {
      present = bits(index, "stream PRESENT", *stripe.present, stripe.rows);
      value_count = static_cast<std::uint64_t>(std::ranges::count(present, 1));
    }
    check_nulls(index, stripe.rows - value_count);
    const std::vector<std::int64_t> values = values_in(index, value_count);
    std::vector<std::uint8_t> output;
    output.reserve(static_cast<std::size_t>(stripe.rows * value_bytes_of(column_.values)));
    std::size_t next = 0;
    for (std::size_t row = 0; row < stripe.rows; ++row) {
      const bool is_null = !present.empty() && present[row] == 0;
      append(output, is_null ? *null_value_ : values[next]);
      if (!is_null) ++next;
    }
    write_(output);
    totals_.rows += stripe.rows;
    totals_.nulls += stripe.rows - value_count;
    totals_.compressed_bytes += stripe.data.bytes + (stripe.present ? stripe.present->bytes : 0);
    totals_.output_bytes += output.size();
    totals_.chunks += std::max<std::size_t>(1, stripe.row_groups.size());
  }

  void check_nulls(std::uint64_t index, std::uint64_t nulls) const {
    if (nulls == 0 || null_value_) return;
    throw std::invalid_argument("column '" + column_.name + "' has nulls, the first in stripe " +
                                std::to_string(index) + "; --null says what to write for them");
  }

  std::vector<std::uint8_t> stream_bytes(const OrcStream& stream, const std::string& place) const {
    const auto stored =
        file_.subspan(static_cast<std::size_t>(stream.offset), static_cast<std::size_t>(stream.bytes));
    return uncompressed_orc(stored, column_.compression, column_.chunk_bytes, place);
  }

  std::vector<std::int64_t> bits(std::uint64_t index, const char* part, const OrcStream& stream,
                                 std::uint64_t count) const {
    const std::string place = orc_place(column_.name, index, part);
    const std::vector<std::int64_t> bytes =
        byte_values(stream_bytes(stream, place), count / 8 + (count % 8 == 0 ? 0 : 1), place);
    return bits_of(bytes, count);
  }

  std::vector<std::int64_t> values_in(std::uint64_t index, std::uint64_t count) const {
    const OrcStripe& stripe = column_.stripes[index];
    if (column_.values == OrcValues::boolean) return bits(index, "stream DATA", stripe.data, count);
    const std::string place = orc_place(column_.name, index, "stream DATA");
    const std::vector<std::uint8_t> bytes = stream_bytes(stripe.data, place);
    if (stripe.coding == OrcCoding::bytes) return byte_values(bytes, count, place);
    const bool is_indices = column_.values == OrcValues::indices;
    std::vector<std::int64_t> values = integer_values(bytes, stripe.coding, !is_indices, count, place);
    const Limits limits =
        is_indices ? Limits{.least = 0, .most = std::int64_t{stripe.dictionary_entries} - 1} : limits_;
    const auto wrong =
        std::ranges::find_if(values, [&](std::int64_t value) { return !is_in(limits, value); });
    if (wrong != values.end()) {
      throw OrcError(place, "value " + std::to_string(wrong - values.begin()) + " is " +
                                std::to_string(*wrong) + ", and must be from " +
                                std::to_string(limits.least) + " to " + std::to_string(limits.most));
    }
    return values;
  }

  void append(std::vector<std::uint8_t>& output, std::int64_t value) const {
    for (std::uint32_t i = 0; i < value_bytes_of(column_.values); ++i) {
      output.push_back(static_cast<std::uint8_t>(static_cast<std::uint64_t>(value) >> (8 * i)));
    }
  }

  std::span<const std::uint8_t> file_;
  const OrcColumn& column_;
  std::optional<std::int64_t> null_value_;
  const format::WriteFunction& write_;
  Limits limits_;
  columns::ColumnTotals totals_;
};

}  // namespace

columns::ColumnTotals decode_orc_column(std::span<const std::uint8_t> file, const OrcColumn& column,
                                        std::optional<std::int64_t> null_value,
                                        const format::WriteFunction& write) {
  return ColumnDecoder(file, column, null_value, write).decode();
}

}  // namespace gsst::codag::orc
