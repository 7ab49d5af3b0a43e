#include "stages/codag/orc/array_plan.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>

#include "common/stage/scratch_layout.hpp"

namespace gsst::codag::orc {
namespace {

// Kernels count a stripe's rows, and a stream's bytes, with 32 bits.
constexpr std::uint64_t most_in_stripe = std::numeric_limits<std::int32_t>::max();
// Warps are counted with 32 bits too.
constexpr std::uint64_t most_row_groups = std::uint64_t{1} << 26;
constexpr std::uint64_t most_input_bytes = std::uint64_t{1} << 56;

[[noreturn]] void refuse(std::uint64_t stripe, const std::string& problem) {
  throw std::invalid_argument("stripe " + std::to_string(stripe) + ": " + problem);
}

// What values may be: of indices, numbers of the dictionary's entries.
void set_limits(OrcValues values, const OrcStripe& stripe, BatchStripe& made) {
  const std::uint32_t bits = 8 * value_bytes_of(values);
  made.least = -(std::int64_t{1} << (bits - 2)) * 2;
  made.most = ~made.least;
  if (values == OrcValues::boolean) {
    made.least = 0;
    made.most = 1;
  } else if (values == OrcValues::indices) {
    made.least = 0;
    made.most = std::int64_t{stripe.dictionary_entries} - 1;
  }
}

bool fits_coding(OrcValues values, OrcCoding coding) {
  return (values == OrcValues::boolean || values == OrcValues::int8) == (coding == OrcCoding::bytes);
}

std::uint64_t rounded_up(std::uint64_t bytes) {
  return (bytes + 7) / 8 * 8;
}

// What kernels read of a column's metadata.
class ArrayTables {
public:
  explicit ArrayTables(const OrcColumn& column) : column_(column) {
    if (column.compression != OrcCompression::none) {
      throw std::invalid_argument("the streams are compressed: decompress them first");
    }
    for (std::uint64_t i = 0; i < column.stripes.size(); ++i) {
      add_stripe(i, column.stripes[static_cast<std::size_t>(i)]);
    }
  }

  // What they are in executions, without pointers.
  OrcArrayJob job() const {
    return {.values = column_.values,
            .coding = column_.stripes.empty() ? OrcCoding::bytes : column_.stripes.front().coding,
            .has_present = has_present_,
            .streams = nullptr,
            .stream_count = static_cast<std::uint32_t>(streams_.size()),
            .chunk_begins = nullptr,
            .stream_bytes = nullptr,
            .stripes = nullptr,
            .stripe_count = static_cast<std::uint32_t>(stripes_.size()),
            .groups = nullptr,
            .group_count = static_cast<std::uint32_t>(groups_.size()),
            .input = nullptr,
            .rows = rows_,
            .present_bytes = present_bytes_,
            .value_bytes = value_bytes_,
            .scratch = nullptr,
            .output = nullptr,
            .validity = nullptr,
            .nulls = nullptr,
            .status = nullptr};
  }
  std::uint64_t input_bytes() const { return input_bytes_; }

  // The tables in the order of OrcArrayPlan::job_with_tables(). A stream begins in its one chunk.
  std::vector<std::uint8_t> bytes() const {
    std::vector<std::uint8_t> bytes;
    append<BatchStream>(streams_, bytes);
    append<std::uint32_t>(std::vector<std::uint32_t>(streams_.size()), bytes);
    append<std::uint32_t>(stream_bytes_, bytes);
    append<BatchStripe>(stripes_, bytes);
    append<BatchGroup>(groups_, bytes);
    return bytes;
  }

private:
  template <typename Value>
  static void append(std::span<const Value> values, std::vector<std::uint8_t>& bytes) {
    const auto of_values = std::as_bytes(values);
    const auto* const first = reinterpret_cast<const std::uint8_t*>(of_values.data());
    bytes.insert(bytes.end(), first, first + of_values.size());
    while (bytes.size() % stage::scratch_alignment != 0) bytes.push_back(0);
  }

  void add_stripe(std::uint64_t number, const OrcStripe& stripe) {
    if (stripe.coding != column_.stripes.front().coding) refuse(number, "is coded as the first one is not");
    if (!fits_coding(column_.values, stripe.coding)) refuse(number, "the coding is not that of the values");
    if (stripe.rows > most_in_stripe) refuse(number, "has more than 2^31 - 1 rows");
    BatchStripe made = {};
    made.first_row = rows_;
    made.present_offset = present_bytes_;
    made.value_offset = value_bytes_;
    made.rows = static_cast<std::uint32_t>(stripe.rows);
    made.present = stripe.present ? add_stream(number, *stripe.present, "PRESENT") : no_stream;
    made.data = add_stream(number, stripe.data, "DATA");
    made.groups.first = static_cast<std::uint32_t>(groups_.size());
    set_limits(column_.values, stripe, made);
    if (stripe.present) {
      has_present_ = true;
      present_bytes_ += stripe.rows / 8 + 1;
    }
    value_bytes_ += rounded_up(stripe.coding != OrcCoding::bytes      ? stripe.rows * 8
                               : column_.values == OrcValues::boolean ? stripe.rows / 8 + 1
                                                                      : stripe.rows);
    add_groups(number, stripe);
    made.groups.count = static_cast<std::uint32_t>(groups_.size()) - made.groups.first;
    rows_ += stripe.rows;
    stripes_.push_back(made);
  }

  std::uint32_t add_stream(std::uint64_t stripe, const OrcStream& stream, const std::string& name) {
    if (stream.bytes > most_in_stripe) refuse(stripe, "stream " + name + " has more than 2^31 - 1 bytes");
    if (stream.offset > most_input_bytes) refuse(stripe, "stream " + name + " begins after 2^56 bytes");
    const auto number = static_cast<std::uint32_t>(streams_.size());
    streams_.push_back({.begin = stream.offset, .chunks = {.first = number, .count = 1}});
    stream_bytes_.push_back(static_cast<std::uint32_t>(stream.bytes));
    input_bytes_ = std::max(input_bytes_, stream.offset + stream.bytes);
    return number;
  }

  void add_groups(std::uint64_t number, const OrcStripe& stripe) {
    const auto of_stripe = static_cast<std::uint32_t>(stripes_.size());
    if (stripe.row_groups.empty()) {
      groups_.push_back({.stripe = of_stripe,
                         .first_row = 0,
                         .rows = static_cast<std::uint32_t>(stripe.rows),
                         .present = {},
                         .data = {}});
    }
    std::uint64_t row = 0;
    for (std::size_t i = 0; i < stripe.row_groups.size(); ++i) {
      const OrcRowGroup& group = stripe.row_groups[i];
      const std::string place = "row group " + std::to_string(i);
      if (group.rows > stripe.rows - row) refuse(number, place + " has more rows than the stripe has left");
      groups_.push_back(
          {.stripe = of_stripe,
           .first_row = static_cast<std::uint32_t>(row),
           .rows = static_cast<std::uint32_t>(group.rows),
           .present = position_of(number, place, i, stripe.present ? group.present : OrcPosition{}),
           .data = position_of(number, place, i, group.data)});
      row += group.rows;
    }
    if (!stripe.row_groups.empty() && row != stripe.rows) {
      refuse(number, "the row groups have " + std::to_string(row) + " of its " + std::to_string(stripe.rows) +
                         " rows");
    }
    if (groups_.size() > most_row_groups) refuse(number, "the column has more than 2^26 row groups");
  }

  static BatchPosition position_of(std::uint64_t stripe, const std::string& place, std::size_t group,
                                   const std::optional<OrcPosition>& position) {
    if (!position) refuse(stripe, place + " has no position in stream PRESENT");
    if (position->chunk != 0) refuse(stripe, place + " has a position in a compressed stream");
    const auto larger = std::max({position->byte, position->values, position->bits});
    if (larger > most_in_stripe) refuse(stripe, place + " has a position after 2^31 - 1 bytes or values");
    if (group == 0 && larger != 0) refuse(stripe, place + " does not begin where the stream does");
    return {.chunk = 0,
            .byte = static_cast<std::uint32_t>(position->byte),
            .values = static_cast<std::uint32_t>(position->values),
            .bits = static_cast<std::uint32_t>(position->bits)};
  }

  const OrcColumn& column_;
  std::vector<BatchStream> streams_;
  std::vector<std::uint32_t> stream_bytes_;
  std::vector<BatchStripe> stripes_;
  std::vector<BatchGroup> groups_;
  bool has_present_ = false;
  std::uint64_t rows_ = 0;
  std::uint64_t present_bytes_ = 0;
  std::uint64_t value_bytes_ = 0;
  std::uint64_t input_bytes_ = 0;
};

}  // namespace

OrcArrayPlan::OrcArrayPlan(stage::Executor executor, const OrcColumn& column)
    : kernels_(OrcArrayKernelsOn::get(executor)) {
  const ArrayTables tables(column);
  job_ = tables.job();
  input_bytes_ = tables.input_bytes();
  tables_ = tables.bytes();
}

std::uint64_t OrcArrayPlan::values_bytes() const {
  return job_.values == OrcValues::boolean ? bytes_of_bits(job_.rows)
                                           : job_.rows * value_bytes_of(job_.values);
}

OrcArrayJob OrcArrayPlan::job_with_tables(const std::uint8_t* state) const {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): a layout is of memory that may be written.
  stage::ScratchLayout layout(const_cast<std::uint8_t*>(state));
  OrcArrayJob job = job_;
  job.streams = layout.take<BatchStream>(job.stream_count);
  job.chunk_begins = layout.take<std::uint32_t>(job.stream_count);
  job.stream_bytes = layout.take<std::uint32_t>(job.stream_count);
  job.stripes = layout.take<BatchStripe>(job.stripe_count);
  job.groups = layout.take<BatchGroup>(job.group_count);
  return job;
}

void OrcArrayPlan::prepare(std::uint8_t* state, stage::Stream stream) const {
  kernels_.prepare(tables_, state, stream);
}

void OrcArrayPlan::enqueue(const OrcArrayMemory& memory, stage::Stream stream) const {
  OrcArrayJob job = job_with_tables(memory.state);
  job.input = memory.input;
  job.scratch = memory.scratch;
  job.output = memory.values;
  job.validity = memory.validity;
  job.nulls = memory.nulls;
  job.status = memory.status;
  kernels_.enqueue(job, stream);
}

std::string describe_row_group_word(std::uint32_t word) {
  using namespace format::codag;
  const std::uint32_t number = word & 0xff;
  switch (static_cast<OrcArrayStatus>(number)) {
    case OrcArrayStatus::position_in_data:
    case OrcArrayStatus::position_in_present:
      return std::string("stream ") +
             (number == static_cast<std::uint32_t>(OrcArrayStatus::position_in_data) ? "DATA" : "PRESENT") +
             " does not begin or end where its position and the numbers of rows say";
    case OrcArrayStatus::value_out_of_range:
      return "stream DATA: value " + std::to_string(byte_of(word)) + " of the stripe is none of the type";
    default:
      break;
  }
  constexpr auto first_of_present = static_cast<std::uint32_t>(OrcArrayStatus::first_of_present);
  const bool is_of_present = number > first_of_present;
  const format::StatusText text = describe_problem(
      static_cast<Problem>(is_of_present ? number - first_of_present : number), byte_of(word));
  return std::string("stream ") + (is_of_present ? "PRESENT: " : "DATA: ") + text.field + " " + text.problem;
}

}  // namespace gsst::codag::orc
