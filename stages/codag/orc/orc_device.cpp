#include "stages/codag/orc/orc_device.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/format/codag/codag.hpp"
#include "common/format/codag/deflate.hpp"
#include "common/format/codag/status.hpp"
#include "common/format/formats.hpp"
#include "stages/codag/orc/orc_batch.hpp"
#include "stages/codag/orc/orc_streams.hpp"
#include "stages/codag/orc/orc_values.hpp"

namespace gsst::codag::orc {
namespace {

// Kernels count a stripe's rows, and a stream's bytes, with 32 bits.
constexpr std::uint64_t most_of_stripe = std::numeric_limits<std::int32_t>::max();

// Most values of a byte of run lengths.
constexpr std::uint64_t most_values_of_stream_byte = 512;

std::string stripe_place(const OrcColumn& column, std::uint64_t stripe, bool is_present) {
  return orc_place(column.name, stripe, is_present ? "stream PRESENT" : "stream DATA");
}

// Bytes that a batch takes of the executor's memory.
std::uint64_t memory_of(const OrcBatch& batch) {
  const bool is_compressed = batch.compression == OrcCompression::zlib;
  constexpr std::uint64_t chunk_bytes = sizeof(BatchChunk) + 3 * sizeof(std::uint32_t);
  constexpr std::uint64_t stream_bytes = sizeof(BatchStream) + sizeof(std::uint32_t);
  constexpr std::uint64_t stripe_bytes = sizeof(BatchStripe) + 3 * sizeof(std::uint32_t);
  constexpr std::uint64_t group_bytes = sizeof(BatchGroup) + 5 * sizeof(std::uint32_t) + sizeof(std::int64_t);
  // Chunks are decoded to rooms and then put together.
  return batch.stored_bytes + (is_compressed ? 2 * batch.room_bytes : 0) + batch.present_bytes +
         batch.value_bytes + batch.rows * value_bytes_of(batch.values) + batch.chunks.size() * chunk_bytes +
         batch.streams.size() * stream_bytes + batch.stripes.size() * stripe_bytes +
         batch.groups.size() * group_bytes;
}

// Makes a batch of stripes that follow each other.
class BatchBuilder {
public:
  BatchBuilder(std::span<const std::uint8_t> file, const OrcColumn& column,
               std::optional<std::int64_t> null_value, const OrcBatchLimits& limits)
      : file_(file), column_(column), limits_(limits), batch_{} {
    batch_.values = column.values;
    batch_.compression = column.compression;
    batch_.null_value = null_value.value_or(0);
  }

  // Whether the stripe of this number is taken too. One that is too large for all others is alone. Throws
  // what add() throws.
  bool fits(std::uint64_t index) const {
    if (batch_.stripes.empty()) return true;
    const OrcStripe& stripe = column_.stripes[static_cast<std::size_t>(index)];
    // Stripes of a batch are coded alike.
    if (stripe.coding != batch_.coding) return false;
    const std::uint64_t bytes = memory_of(batch_);
    if (bytes >= limits_.batch_bytes) return false;
    BatchBuilder alone(file_, column_, std::nullopt, limits_);
    alone.add(index);
    const OrcBatch& other = alone.batch_;
    return memory_of(other) <= limits_.batch_bytes - bytes &&
           batch_.chunks.size() + other.chunks.size() <= limits_.parts &&
           batch_.streams.size() + other.streams.size() <= limits_.parts &&
           batch_.groups.size() + other.groups.size() <= limits_.parts;
  }

  void add(std::uint64_t index) {
    const OrcStripe& stripe = column_.stripes[static_cast<std::size_t>(index)];
    batch_.coding = stripe.coding;
    if (stripe.rows > most_of_stripe) {
      throw OrcError(orc_place(column_.name, index, "rows"),
                     std::to_string(stripe.rows) + " are more than are decoded of a stripe");
    }
    const OrcLimits limits = orc_limits(column_.values, stripe);
    BatchStripe added = {.first_row = batch_.rows,
                         .present_offset = batch_.present_bytes,
                         .value_offset = batch_.value_bytes,
                         .rows = static_cast<std::uint32_t>(stripe.rows),
                         .present = no_stream,
                         .data = no_stream,
                         .groups = {.first = static_cast<std::uint32_t>(batch_.groups.size()), .count = 0},
                         .least = limits.least,
                         .most = limits.most};
    const bool is_of_bits = column_.values == OrcValues::boolean;
    if (stripe.present) {
      added.present = add_stream(index, *stripe.present, true, stripe.rows / 8);
      batch_.present_bytes += stripe.rows / 8 + 1;
    }
    // Of rows that may all be null, the other stream has none of the values.
    added.data =
        add_stream(index, stripe.data, false, stripe.present ? 0 : stripe.rows / (is_of_bits ? 8 : 1));
    const std::uint64_t value_bytes = stripe.coding != OrcCoding::bytes ? stripe.rows * 8
                                      : is_of_bits                      ? stripe.rows / 8 + 1
                                                                        : stripe.rows;
    // The next stripe's values are aligned.
    batch_.value_bytes += (value_bytes + 7) / 8 * 8;
    add_groups(index, added);
    added.groups.count = static_cast<std::uint32_t>(batch_.groups.size()) - added.groups.first;
    batch_.rows += stripe.rows;
    batch_.stripes.push_back(added);
    // Others are taken only if they have room.
    if (batch_.stripes.size() == 1 && memory_of(batch_) > limits_.memory_bytes) {
      throw std::invalid_argument("--memory: stripe " + std::to_string(index) + ", column '" + column_.name +
                                  "', needs " + std::to_string(memory_of(batch_)) + " bytes, more than " +
                                  std::to_string(limits_.memory_bytes));
    }
  }

  const OrcBatch& batch() const { return batch_; }

  // The error of a chunk.
  OrcError chunk_error(std::uint32_t number) const {
    const BatchChunk& chunk = batch_.chunks[number];
    return no_deflate_stream(places_[chunk.stream], chunk_offsets_[number], column_.chunk_bytes);
  }

private:
  OrcError too_many(const std::string& place, const std::string& what) const {
    return {place, "the stripe has more " + what + " than the " + std::to_string(limits_.parts) +
                       " that are decoded at once"};
  }

  // Throws OrcError if it is too short for so many values.
  std::uint32_t add_stream(std::uint64_t index, const OrcStream& stream, bool is_present,
                           std::uint64_t values) {
    const std::string place = stripe_place(column_, index, is_present);
    const auto stored =
        file_.subspan(static_cast<std::size_t>(stream.offset), static_cast<std::size_t>(stream.bytes));
    const auto number = static_cast<std::uint32_t>(batch_.streams.size());
    const std::uint64_t begin = batch_.room_bytes;
    const auto first = static_cast<std::uint32_t>(batch_.chunks.size());
    if (column_.compression == OrcCompression::none) {
      add_chunk({.offset = 0, .bytes = stream.bytes, .is_stored = true}, 0, number);
    } else {
      const std::vector<OrcChunk> chunks = orc_chunks(stored, column_.chunk_bytes, place);
      if (chunks.size() > limits_.parts - batch_.chunks.size()) throw too_many(place, "chunks");
      for (const OrcChunk& chunk : chunks) {
        add_chunk(chunk, orc_chunk_header_bytes, number);
      }
    }
    const std::uint64_t bytes = batch_.room_bytes - begin;
    if (bytes > most_of_stripe) {
      throw OrcError(place,
                     "may have " + std::to_string(bytes) + " bytes, more than are decoded of a stripe");
    }
    if (values / most_values_of_stream_byte > bytes) {
      throw OrcError(place, std::to_string(stream.bytes) + " bytes are too few for " +
                                std::to_string(values) + " values");
    }
    const auto count = static_cast<std::uint32_t>(batch_.chunks.size()) - first;
    batch_.streams.push_back({.begin = begin, .chunks = {.first = first, .count = count}});
    places_.push_back(place);
    batch_.stored.push_back(stored);
    batch_.stored_bytes += stored.size();
    return number;
  }

  void add_chunk(const OrcChunk& chunk, std::uint64_t header_bytes, std::uint32_t stream) {
    // No Deflate stream holds more.
    const std::uint64_t room =
        chunk.is_stored
            ? chunk.bytes
            : std::min(column_.chunk_bytes, chunk.bytes * format::codag::deflate_bytes_per_payload_byte);
    batch_.chunks.push_back({.input = batch_.stored_bytes + chunk.offset + header_bytes,
                             .output = batch_.room_bytes,
                             .input_bytes = static_cast<std::uint32_t>(std::min(chunk.bytes, most_of_stripe)),
                             .room = static_cast<std::uint32_t>(std::min(room, most_of_stripe)),
                             .stream = stream,
                             .is_stored = chunk.is_stored ? 1U : 0U});
    batch_.room_bytes += room;
    chunk_offsets_.push_back(chunk.offset);
  }

  void add_groups(std::uint64_t index, const BatchStripe& added) {
    const OrcStripe& stripe = column_.stripes[static_cast<std::size_t>(index)];
    const auto stripe_number = static_cast<std::uint32_t>(batch_.stripes.size());
    if (stripe.row_groups.empty()) {
      batch_.groups.push_back(
          {.stripe = stripe_number, .first_row = 0, .rows = added.rows, .present = {}, .data = {}});
      return;
    }
    if (stripe.row_groups.size() > limits_.parts - batch_.groups.size()) {
      throw too_many(orc_place(column_.name, index, "row index"), "row groups");
    }
    std::uint32_t row = 0;
    for (std::size_t i = 0; i < stripe.row_groups.size(); ++i) {
      const OrcRowGroup& group = stripe.row_groups[i];
      BatchGroup found = {.stripe = stripe_number,
                          .first_row = row,
                          .rows = static_cast<std::uint32_t>(group.rows),
                          .present = {},
                          .data = {}};
      if (group.present) found.present = position(index, i, *group.present, added.present, true);
      found.data = position(index, i, group.data, added.data, false);
      batch_.groups.push_back(found);
      row += found.rows;
    }
  }

  BatchPosition position(std::uint64_t index, std::size_t group, const OrcPosition& given,
                         std::uint32_t stream, bool is_present) const {
    const auto refuse = [&](const std::string& problem) {
      throw OrcError(orc_place(column_.name, index, "row index, group " + std::to_string(group)),
                     std::string("its position in stream ") + (is_present ? "PRESENT" : "DATA") + problem);
    };
    const bool is_begin = given.chunk == 0 && given.byte == 0 && given.values == 0 && given.bits == 0;
    if (group == 0 && !is_begin) refuse(" is not the stream's begin");
    const BatchList& chunks = batch_.streams[stream].chunks;
    const auto first = chunk_offsets_.begin() + chunks.first;
    const auto last = first + chunks.count;
    const auto found = std::lower_bound(first, last, given.chunk);
    const bool is_end = found == last && given.chunk == batch_.stored[stream].size();
    if (!is_end && (found == last || *found != given.chunk)) {
      refuse(", byte " + std::to_string(given.chunk) + ", is not where a chunk begins");
    }
    return {.chunk = static_cast<std::uint32_t>(found - first),
            .byte = static_cast<std::uint32_t>(given.byte),
            .values = static_cast<std::uint32_t>(given.values),
            .bits = static_cast<std::uint32_t>(given.bits)};
  }

  std::span<const std::uint8_t> file_;
  const OrcColumn& column_;
  OrcBatchLimits limits_;
  OrcBatch batch_;
  // Of streams, for errors; of chunks, in their streams.
  std::vector<std::string> places_;
  std::vector<std::uint64_t> chunk_offsets_;
};

format::BlockFormat format_of(OrcCoding coding) {
  switch (coding) {
    case OrcCoding::run_lengths_v1:
      return format::codag::orc_rle_v1_format;
    case OrcCoding::run_lengths_v2:
      return format::codag::orc_rle_v2_format;
    case OrcCoding::bytes:
      break;
  }
  return format::codag::byte_rle_format;
}

// Throws what is wrong in a part of a row group.
void check_part(const OrcColumn& column, std::uint64_t stripe, std::uint32_t group, bool is_present,
                OrcCoding coding, std::uint32_t status) {
  if (status == 0) return;
  const std::string part =
      "row group " + std::to_string(group) + ", stream " + (is_present ? "PRESENT" : "DATA");
  const std::string place = orc_place(column.name, stripe, part);
  if (status == wrong_position) {
    throw OrcError(place, "does not begin or end where the row index and the numbers of rows say");
  }
  const format::StatusText text = format::codag::describe_stream_status(status);
  throw OrcError(place, "as a payload of format " +
                            std::string(format::block_format_name(format_of(coding))) + ": " + text.field +
                            ": " + text.problem);
}

// Throws the first problem of a batch whose first stripe has number `first` in the file, as the CPU finds
// it: stripe by stripe, and before values what is present.
void check_batch(const OrcColumn& column, const BatchBuilder& builder, const OrcBatchResult& result,
                 std::uint64_t first, bool may_have_nulls) {
  const OrcBatch& batch = builder.batch();
  const auto check_stream = [&](std::uint64_t stripe, const BatchList& groups, std::uint32_t stream,
                                bool is_present) {
    if (stream == no_stream) return;
    const BatchList& chunks = batch.streams[stream].chunks;
    for (std::uint32_t i = chunks.first; i < chunks.first + chunks.count; ++i) {
      if (result.chunk_status[i] != 0) throw builder.chunk_error(i);
    }
    const auto& status = is_present ? result.present_status : result.data_status;
    for (std::uint32_t i = 0; i < groups.count; ++i) {
      check_part(column, stripe, i, is_present, is_present ? OrcCoding::bytes : batch.coding,
                 status[groups.first + i]);
    }
  };
  for (std::size_t i = 0; i < batch.stripes.size(); ++i) {
    const BatchStripe& stripe = batch.stripes[i];
    check_stream(first + i, stripe.groups, stripe.present, true);
    if (result.value_counts[i] != stripe.rows && !may_have_nulls) throw unwanted_null(column, first + i);
    check_stream(first + i, stripe.groups, stripe.data, false);
    for (std::uint32_t group = stripe.groups.first; group < stripe.groups.first + stripe.groups.count;
         ++group) {
      if (result.value_status[group] == 0) continue;
      throw wrong_value(column, first + i, result.value_status[group] - 1, result.wrong_values[group],
                        {.least = stripe.least, .most = stripe.most});
    }
  }
}

// All stripes of a column as one batch.
BatchBuilder whole_column(std::span<const std::uint8_t> file, const OrcColumn& column,
                          const OrcBatchLimits& limits) {
  if (column.stripes.empty()) throw std::invalid_argument("column '" + column.name + "' has no rows");
  BatchBuilder builder(file, column, std::nullopt, limits);
  for (std::uint64_t i = 0; i < column.stripes.size(); ++i) {
    if (!builder.fits(i)) {
      throw std::invalid_argument("column '" + column.name + "': stripe " + std::to_string(i) +
                                  " is not in a batch with those before it");
    }
    builder.add(i);
  }
  return builder;
}

}  // namespace

columns::ColumnTotals decode_orc_column_on(stage::Executor executor, std::span<const std::uint8_t> file,
                                           const OrcColumn& column, std::optional<std::int64_t> null_value,
                                           const format::WriteFunction& write, const OrcBatchLimits& limits) {
  check_null_value(column, null_value);
  const OrcKernels& kernels = OrcKernelsOn::get(executor);
  columns::ColumnTotals totals;
  for (std::size_t next = 0; next < column.stripes.size();) {
    const std::size_t first = next;
    BatchBuilder builder(file, column, null_value, limits);
    for (; next < column.stripes.size() && builder.fits(next); ++next) {
      builder.add(next);
    }
    const std::unique_ptr<LoadedOrcBatch> loaded = kernels.load(builder.batch());
    loaded->enqueue(nullptr);
    const OrcBatchResult result = loaded->result();
    check_batch(column, builder, result, first, null_value.has_value());
    write(result.output);
    for (std::size_t i = first; i < next; ++i) {
      add_stripe(column, column.stripes[i], result.value_counts[i - first], totals);
    }
  }
  totals.remark = orc_remark(column);
  return totals;
}

OrcColumnInMemory::OrcColumnInMemory(stage::Executor executor, std::span<const std::uint8_t> file,
                                     const OrcColumn& column, const OrcBatchLimits& limits) {
  const auto builder = std::make_shared<const BatchBuilder>(whole_column(file, column, limits));
  loaded_ = OrcKernelsOn::get(executor).load(builder->batch());
  row_groups_ = builder->batch().groups.size();
  check_statuses_ = [&column, builder](const LoadedOrcBatch& loaded) {
    check_batch(column, *builder, loaded.statuses(), 0, false);
  };
}

OrcColumnInMemory::~OrcColumnInMemory() = default;

void OrcColumnInMemory::enqueue(stage::Stream stream) {
  loaded_->enqueue(stream);
}

void OrcColumnInMemory::check() const {
  check_statuses_(*loaded_);
}

std::span<std::uint8_t> OrcColumnInMemory::output() {
  return loaded_->output();
}

std::span<const std::uint8_t> OrcColumnInMemory::stored() const {
  return loaded_->stored();
}

}  // namespace gsst::codag::orc
