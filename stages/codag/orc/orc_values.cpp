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

template <typename Value>
constexpr OrcLimits limits_of = {.least = std::numeric_limits<Value>::min(),
                                 .most = std::numeric_limits<Value>::max()};

constexpr bool is_in(const OrcLimits& limits, std::int64_t value) {
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
      : file_(file), column_(column), null_value_(null_value), write_(write) {
    check_null_value(column_, null_value_);
  }

  columns::ColumnTotals decode() {
    for (std::uint64_t i = 0; i < column_.stripes.size(); ++i) decode_stripe(i);
    totals_.remark = orc_remark(column_);
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
    if (value_count != stripe.rows && !null_value_) throw unwanted_null(column_, index);
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
    add_stripe(column_, stripe, value_count, totals_);
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
    const OrcLimits limits = orc_limits(column_.values, stripe);
    const auto wrong =
        std::ranges::find_if(values, [&](std::int64_t value) { return !is_in(limits, value); });
    if (wrong != values.end()) {
      throw wrong_value(column_, index, static_cast<std::uint64_t>(wrong - values.begin()), *wrong, limits);
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
  columns::ColumnTotals totals_;
};

}  // namespace

OrcLimits orc_limits(OrcValues values) {
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

OrcLimits orc_limits(OrcValues values, const OrcStripe& stripe) {
  if (values != OrcValues::indices) return orc_limits(values);
  return {.least = 0, .most = std::int64_t{stripe.dictionary_entries} - 1};
}

void check_null_value(const OrcColumn& column, std::optional<std::int64_t> null_value) {
  const OrcLimits limits = orc_limits(column.values);
  if (!null_value || is_in(limits, *null_value)) return;
  throw std::invalid_argument("--null: " + std::to_string(*null_value) + " is no value of column '" +
                              column.name + "', which has " + std::to_string(limits.least) + " to " +
                              std::to_string(limits.most));
}

std::invalid_argument unwanted_null(const OrcColumn& column, std::uint64_t stripe) {
  return std::invalid_argument("column '" + column.name + "' has nulls, the first in stripe " +
                               std::to_string(stripe) + "; --null says what to write for them");
}

OrcError wrong_value(const OrcColumn& column, std::uint64_t stripe, std::uint64_t number, std::int64_t value,
                     const OrcLimits& limits) {
  return {orc_place(column.name, stripe, "stream DATA"),
          "value " + std::to_string(number) + " is " + std::to_string(value) + ", and must be from " +
              std::to_string(limits.least) + " to " + std::to_string(limits.most)};
}

void add_stripe(const OrcColumn& column, const OrcStripe& stripe, std::uint64_t values,
                columns::ColumnTotals& totals) {
  totals.rows += stripe.rows;
  totals.nulls += stripe.rows - values;
  totals.compressed_bytes += stripe.data.bytes + (stripe.present ? stripe.present->bytes : 0);
  totals.output_bytes += stripe.rows * value_bytes_of(column.values);
  totals.chunks += std::max<std::size_t>(1, stripe.row_groups.size());
}

std::string orc_remark(const OrcColumn& column) {
  const bool has_index =
      std::ranges::all_of(column.stripes, [](const OrcStripe& stripe) { return !stripe.row_groups.empty(); });
  const std::string stripes =
      std::to_string(column.stripes.size()) + (column.stripes.size() == 1 ? " stripe" : " stripes");
  return stripes + (has_index ? "" : ", without a row index: a stripe is one block");
}

columns::ColumnTotals decode_orc_column(std::span<const std::uint8_t> file, const OrcColumn& column,
                                        std::optional<std::int64_t> null_value,
                                        const format::WriteFunction& write) {
  return ColumnDecoder(file, column, null_value, write).decode();
}

}  // namespace gsst::codag::orc
