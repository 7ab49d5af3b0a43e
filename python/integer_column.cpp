#include "python/integer_column.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "common/format/encoding.hpp"
#include "common/format/error.hpp"
#include "common/format/tile_integer/integer_column.hpp"
#include "common/frame/frame.hpp"
#include "common/frame/payload_checker.hpp"
#include "library/decompress_plan.hpp"
#include "library/options.hpp"
#include "python/arrow_values.hpp"
#include "python/capsules.hpp"
#include "python/integer_blocks.hpp"
#include "python/integer_values.hpp"
#include "python/objects.hpp"
#include "python/without_gil.hpp"
#include "reference_cpu/parallel.hpp"

// Columns of integers: the codec of the integers' formats on arrays of Arrow.
namespace gsst::python {
namespace {

using format::tile_integer::IntegerColumnView;

// Those that `auto` chooses from: of equal ones the first.
constexpr std::array formats_of_integers = {
    format::tile_integer::for_format, format::tile_integer::dfor_format, format::tile_integer::rfor_format};

std::span<const std::uint8_t> as_numbers(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
}

nb::bytes as_object(std::span<const std::uint8_t> bytes) {
  return nb::bytes(bytes.data(), bytes.size());
}

struct IntegerOptions {
  std::uint32_t format;
  std::uint64_t block_bytes;
  std::uint32_t threads;
  std::uint32_t checksum;
};

format::EncodeSettings encode_settings(const IntegerOptions& options, std::uint32_t value_bytes) {
  gsst_compress_options known{};
  known.struct_bytes = sizeof(known);
  known.block_bytes = options.block_bytes;
  known.threads = options.threads;
  known.checksum = options.checksum;
  const reference::CompressOptions chosen = library::compress_options(&known);
  format::EncodeSettings settings;
  settings.checksum_kind = chosen.checksum_kind;
  settings.threads = chosen.threads;
  if (options.block_bytes != 0) settings.block_bytes = options.block_bytes;
  if (settings.block_bytes % value_bytes != 0) {
    throw std::invalid_argument("options: block_bytes is " + std::to_string(settings.block_bytes) +
                                ", expected a multiple of the " + std::to_string(value_bytes) +
                                " bytes that a value is stored in");
  }
  return settings;
}

// The frame of `format`, or the smallest frame.
std::vector<std::uint8_t> make_frame(const IntegerValues& values, const IntegerOptions& options) {
  const format::tile_integer::Type type = values.values().stored;
  const format::EncodeSettings settings =
      encode_settings(options, format::tile_integer::shape_of(type).value_bytes);
  std::vector<std::uint8_t> smallest;
  std::vector<std::uint8_t> made;
  for (const format::BlockFormat format : formats_of_integers) {
    if (options.format != 0 && format != static_cast<format::BlockFormat>(options.format)) continue;
    std::vector<std::uint8_t> frame =
        encode_integers(format, type, values.stored(format, settings.block_bytes, made), settings);
    if (smallest.empty() || frame.size() < smallest.size()) smallest = std::move(frame);
  }
  if (smallest.empty()) {
    throw std::invalid_argument("options: format " + std::to_string(options.format) + " is none of integers");
  }
  return smallest;
}

std::vector<std::uint8_t> make_column(const IntegerValues& values, const IntegerOptions& options) {
  const std::vector<std::uint8_t> frame = make_frame(values, options);
  const std::vector<std::uint8_t> validity = values.validity();
  const auto header = format::tile_integer::build_integer_column_header();
  const std::vector<std::uint8_t> end =
      format::tile_integer::build_integer_column_end({.arrow_format = values.arrow_format(),
                                                      .values = values.values(),
                                                      .value_count = values.size(),
                                                      .null_count = values.null_count(),
                                                      .frame = frame,
                                                      .validity = validity});
  std::vector<std::uint8_t> column(header.begin(), header.end());
  column.reserve(header.size() + frame.size() + end.size());
  column.insert(column.end(), frame.begin(), frame.end());
  column.insert(column.end(), end.begin(), end.end());
  return column;
}

nb::bytes compress_integer_column(nb::handle schema, nb::handle array, std::uint32_t format,
                                  std::uint64_t block_bytes, std::uint32_t threads, std::uint32_t checksum) {
  const auto& arrow_schema = *held_by<ArrowSchema>(schema, schema_capsule);
  const ArrowArray& arrow_array = *array_of(array);
  const std::vector<std::uint8_t> column = without_gil([&] {
    return make_column(
        IntegerValues(arrow_schema, arrow_array),
        {.format = format, .block_bytes = block_bytes, .threads = threads, .checksum = checksum});
  });
  return as_object(column);
}

// A column whose parts have been checked, but for the blocks' checksums.
class CheckedIntegers {
public:
  CheckedIntegers(std::span<const std::uint8_t> bytes, unsigned threads, bool verify)
      : bytes_(bytes),
        column_(parse(bytes)),
        frame_(format::parse_frame(column_.frame)),
        threads_(threads),
        verify_(verify) {
    check_integer_column_frame(column_, frame_.header.format, frame_.index.uncompressed_bytes);
    format::PayloadChecker payloads(frame_.header);
    for (std::size_t block = 0; block < frame_.index.entries.size(); ++block) {
      payloads.check_next(frame_.payload(block), frame_.index.entries[block].record);
    }
  }

  std::uint64_t bytes() const { return bytes_.size(); }
  const IntegerColumnView& column() const { return column_; }
  const format::FrameView& frame() const { return frame_; }

  // The stored bytes of `count` values.
  std::vector<std::uint8_t> stored(std::uint64_t first, std::uint64_t count) const {
    if (first > column_.value_count || count > column_.value_count - first) {
      throw std::invalid_argument("values " + std::to_string(first) + " and " + std::to_string(count) +
                                  " from there on: the column has " + std::to_string(column_.value_count));
    }
    const std::uint32_t value_bytes = format::tile_integer::shape_of(column_.values.stored).value_bytes;
    std::vector<std::uint8_t> output(count * value_bytes);
    if (output.empty()) return output;
    const std::uint64_t begin = first * value_bytes;
    const std::uint64_t first_block = begin / frame_.header.block_size;
    const std::uint64_t last_block = (begin + output.size() - 1) / frame_.header.block_size;
    reference::parallel_for(last_block - first_block + 1, threads_,
                            [&](std::size_t number) { copy_block(first_block + number, begin, output); });
    return output;
  }

  // The stored bytes of the values of these numbers. A block that holds several of them is decoded once.
  std::vector<std::uint8_t> stored(std::span<const std::uint64_t> values) const {
    const std::uint32_t value_bytes = format::tile_integer::shape_of(column_.values.stored).value_bytes;
    std::vector<std::uint8_t> output(values.size() * value_bytes);
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (!std::ranges::is_sorted(values))
      std::ranges::sort(order, {}, [&](std::size_t at) { return values[at]; });
    std::vector<std::uint8_t> decoded;
    std::optional<std::uint64_t> of_block;
    for (const std::size_t at : order) {
      if (values[at] >= column_.value_count) {
        throw std::invalid_argument("there is no value " + std::to_string(values[at]) + ", the column has " +
                                    std::to_string(column_.value_count));
      }
      const std::uint64_t begin = values[at] * value_bytes;
      const std::uint64_t block = begin / frame_.header.block_size;
      if (block != of_block) {
        decoded.resize(frame_.index.entries[block].record.uncompressed_bytes);
        decode_block(block, decoded);
        of_block = block;
      }
      std::memcpy(output.data() + at * value_bytes, decoded.data() + begin % frame_.header.block_size,
                  value_bytes);
    }
    return output;
  }

  // A bit for each of these values, as a column has them; empty without nulls.
  std::vector<std::uint8_t> validity(std::span<const std::uint64_t> values) const {
    if (column_.validity.empty()) return {};
    std::vector<std::uint8_t> bits((values.size() + 7) / 8, 0);
    for (std::size_t at = 0; at < values.size(); ++at) {
      const unsigned bit = column_.validity[values[at] / 8] >> values[at] % 8 & 1U;
      bits[at / 8] |= static_cast<std::uint8_t>(bit << at % 8);
    }
    return bits;
  }

private:
  static IntegerColumnView parse(std::span<const std::uint8_t> bytes) {
    if (!format::tile_integer::starts_with_integer_column_magic(bytes)) {
      throw library::WrongFormat("this is not a gsst column of integers");
    }
    return format::tile_integer::parse_integer_column(bytes);
  }

  // What `output`, which starts at byte `begin` of the column's, has of a block.
  void copy_block(std::uint64_t block, std::uint64_t begin, std::span<std::uint8_t> output) const {
    const std::uint64_t block_bytes = frame_.index.entries[block].record.uncompressed_bytes;
    const std::uint64_t of_block = block * frame_.header.block_size;
    const std::uint64_t from = std::max(begin, of_block);
    const std::uint64_t to = std::min(begin + output.size(), of_block + block_bytes);
    const std::span part = output.subspan(from - begin, to - from);
    if (part.size() == block_bytes) return decode_block(block, part);
    std::vector<std::uint8_t> decoded(block_bytes);
    decode_block(block, decoded);
    std::copy_n(decoded.begin() + static_cast<std::ptrdiff_t>(from - of_block), part.size(), part.begin());
  }

  void decode_block(std::uint64_t block, std::span<std::uint8_t> output) const {
    const format::BlockRecord& record = frame_.index.entries[block].record;
    const auto payload = frame_.payload(block);
    if (record.layout == format::BlockLayout::raw) {
      std::ranges::copy(payload.first(output.size()), output.begin());
    } else {
      decode_integers(frame_.header.format, payload, output);
    }
    if (verify_ && format::checksum(record.checksum_kind, output) != record.checksum) {
      throw format::FormatError(block, "checksum", "is not that of the decoded bytes");
    }
  }

  std::span<const std::uint8_t> bytes_;
  IntegerColumnView column_;
  format::FrameView frame_;
  unsigned threads_;
  bool verify_;
};

// A checked column with the buffer that it refers to.
class IntegerColumnPlan {
public:
  IntegerColumnPlan(nb::handle data, std::uint32_t threads, bool verify) : buffer_(data, PyBUF_SIMPLE) {
    checked_ = without_gil([&] {
      return std::make_unique<CheckedIntegers>(as_numbers(buffer_.bytes()), library::thread_count(threads),
                                               verify);
    });
  }

  // compressed_bytes, around_bytes, value_count, null_count, value_bytes, the frame's format.
  std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t, std::uint32_t> info()
      const {
    const IntegerColumnView& column = checked_->column();
    return {checked_->bytes(),
            checked_->bytes() - column.frame.size(),
            column.value_count,
            column.null_count,
            column.value_count * column.values.arrow_bytes,
            static_cast<std::uint32_t>(checked_->frame().header.format)};
  }

  std::uint64_t count() const { return checked_->column().value_count; }
  std::string format() const { return std::string(checked_->column().arrow_format); }

  std::tuple<nb::object, nb::object> decompress(std::uint64_t first, std::uint64_t count) const {
    return make_array([&](ArrowSchema& schema, ArrowArray& array) {
      const IntegerColumnView& column = checked_->column();
      make_arrow_integers(column, column.validity, first, checked_->stored(first, count), schema, array);
    });
  }

  std::tuple<nb::object, nb::object> take(const std::vector<std::uint64_t>& values) const {
    return make_array([&](ArrowSchema& schema, ArrowArray& array) {
      std::vector<std::uint8_t> stored = checked_->stored(values);
      make_arrow_integers(checked_->column(), checked_->validity(values), 0, std::move(stored), schema,
                          array);
    });
  }

private:
  // `make` writes the schema and the array.
  template <typename Make>
  static std::tuple<nb::object, nb::object> make_array(const Make& make) {
    auto schema = std::make_unique<ArrowSchema>();
    auto array = std::make_unique<ArrowArray>();
    without_gil([&] { make(*schema, *array); });
    nb::object of_array = make_capsule(std::move(array), array_capsule);
    nb::object of_schema = make_capsule(std::move(schema), schema_capsule);
    return {of_schema, of_array};
  }

  Buffer buffer_;
  std::unique_ptr<CheckedIntegers> checked_;
};

// Whether arrays of the type of a schema are columns of integers, not of strings. Raises gsst.Error for types
// of which there are no columns.
bool has_integers(nb::handle schema) {
  const auto& arrow_schema = *held_by<ArrowSchema>(schema, schema_capsule);
  const auto type = stored_type(arrow_schema);
  if (!type) raise(GSST_ERROR_INVALID_ARGUMENT, "there are no columns of type " + type_name(arrow_schema));
  return type->value_bytes != 0;
}

bool ends_with_integer_column(nb::handle columns) {
  const Buffer buffer(columns, PyBUF_SIMPLE);
  return format::tile_integer::ends_with_integer_column_magic(as_numbers(buffer.bytes()));
}

bool is_integer_column(nb::handle column) {
  const Buffer buffer(column, PyBUF_SIMPLE);
  return format::tile_integer::starts_with_integer_column_magic(as_numbers(buffer.bytes()));
}

std::uint64_t last_integer_column_bytes(nb::handle columns) {
  const Buffer buffer(columns, PyBUF_SIMPLE);
  return without_gil(
      [&] { return format::tile_integer::last_integer_column_bytes(as_numbers(buffer.bytes())); });
}

}  // namespace

void add_integer_columns(nb::module_& module) {
  module.def("compress_integer_column", &compress_integer_column, nb::arg("schema"), nb::arg("array"),
             nb::arg("format"), nb::arg("block_bytes"), nb::arg("threads"), nb::arg("checksum"));
  module.def("has_integers", &has_integers, nb::arg("schema"));
  module.def("is_integer_column", &is_integer_column, nb::arg("column"));
  module.def("ends_with_integer_column", &ends_with_integer_column, nb::arg("columns"));
  module.def("last_integer_column_bytes", &last_integer_column_bytes, nb::arg("columns"));
  nb::class_<IntegerColumnPlan>(module, "IntegerColumnPlan")
      .def(nb::init<nb::handle, std::uint32_t, bool>(), nb::arg("data"), nb::arg("threads"),
           nb::arg("verify"))
      .def("info", &IntegerColumnPlan::info)
      .def("count", &IntegerColumnPlan::count)
      .def("format", &IntegerColumnPlan::format)
      .def("decompress", &IntegerColumnPlan::decompress, nb::arg("first"), nb::arg("count"))
      .def("take", &IntegerColumnPlan::take, nb::arg("values"));
}

}  // namespace gsst::python
