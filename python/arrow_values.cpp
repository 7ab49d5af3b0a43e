#include "python/arrow_values.hpp"

#include <array>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <utility>

#include "common/format/tile_integer/integer_column.hpp"

namespace gsst::python {
namespace {

constexpr std::uint64_t most_narrow_offset = std::numeric_limits<std::int32_t>::max();
// Strings of at most that many bytes are stored in the view itself.
constexpr std::uint32_t inline_view_bytes = 12;
constexpr std::size_t view_bytes = 16;

void require(bool holds, const std::string& problem) {
  if (!holds) throw std::invalid_argument("array: " + problem);
}

template <typename Number>
Number load(const std::uint8_t* data, std::uint64_t number) {
  Number loaded;
  std::memcpy(&loaded, data + number * sizeof(Number), sizeof(Number));
  return loaded;
}

bool is_view(std::string_view format) {
  return format == "vu" || format == "vz";
}

// Bytes of an index of a dictionary whose indices are of `format`; 0 for another format.
std::uint32_t index_bytes(std::string_view format) {
  if (format == "c" || format == "C") return 1;
  if (format == "s" || format == "S") return 2;
  if (format == "i" || format == "I") return 4;
  if (format == "l" || format == "L") return 8;
  return 0;
}

// A signed index as an unsigned number: a negative one is larger than any size.
template <typename Signed, typename Unsigned>
std::uint64_t load_index(const std::uint8_t* data, std::uint64_t number, bool is_signed) {
  if (is_signed) return static_cast<std::uint64_t>(static_cast<std::int64_t>(load<Signed>(data, number)));
  return load<Unsigned>(data, number);
}

std::string name_of_format(std::string_view format) {
  struct Name {
    std::string_view format;
    const char* name;
  };
  static constexpr std::array names = {
      Name{"n", "null"},         Name{"b", "bool"},
      Name{"c", "int8"},         Name{"C", "uint8"},
      Name{"s", "int16"},        Name{"S", "uint16"},
      Name{"i", "int32"},        Name{"I", "uint32"},
      Name{"l", "int64"},        Name{"L", "uint64"},
      Name{"e", "halffloat"},    Name{"f", "float"},
      Name{"g", "double"},       Name{"u", "string"},
      Name{"U", "large_string"}, Name{"z", "binary"},
      Name{"Z", "large_binary"}, Name{"vu", "string_view"},
      Name{"vz", "binary_view"}, Name{"+l", "list"},
      Name{"+L", "large_list"},  Name{"+s", "struct"},
      Name{"+m", "map"},         Name{"tiM", "month_interval"},
      Name{"tiD", "interval"},   Name{"tin", "month_day_nano_interval"},
  };
  for (const Name& name : names) {
    if (format == name.format) return name.name;
  }
  if (format.starts_with("d:")) {
    // Digits, scale, and bits where they are not 128.
    std::string digits(format.substr(2));
    std::string bits = "128";
    const std::size_t scale = digits.find(',');
    const std::size_t end = digits.find(',', scale + 1);
    if (scale != std::string::npos && end != std::string::npos) {
      bits = digits.substr(end + 1);
      digits.resize(end);
    }
    return "decimal" + bits + "(" + digits + ")";
  }
  if (format.starts_with("ts")) return "timestamp(" + std::string(format.substr(2)) + ")";
  if (format.starts_with("w:")) return "fixed_size_binary(" + std::string(format.substr(2)) + ")";
  return "'" + std::string(format) + "' in the Arrow C data interface";
}

[[noreturn]] void refuse_more(const ValueType& type) {
  throw std::invalid_argument("array: the strings have more than the " + std::to_string(most_narrow_offset) +
                              " bytes that an array of type " + name_of_format(type.format) + " can hold");
}

// What an array points to. Freed by the array's release function.
struct BuiltBuffers {
  std::vector<std::uint8_t> validity;
  std::vector<std::uint8_t> offsets;
  std::vector<std::uint8_t> data;
  std::array<const void*, 3> pointers;
};

}  // namespace

std::optional<ValueType> value_type(std::string_view format) {
  if (format == "u" || format == "z") return ValueType{std::string(format), 4, 0};
  if (format == "U" || format == "Z") return ValueType{std::string(format), 8, 0};
  const auto integers = format::tile_integer::column_values(format);
  if (!integers) return std::nullopt;
  return ValueType{std::string(format), 0, integers->arrow_bytes};
}

std::optional<ValueType> stored_type(const ArrowSchema& schema) {
  const std::string_view format = schema.format;
  if (schema.dictionary != nullptr) {
    const bool is_known = index_bytes(format) != 0 && schema.dictionary->format != nullptr &&
                          schema.dictionary->dictionary == nullptr;
    return is_known ? stored_type(*schema.dictionary) : std::nullopt;
  }
  // A buffer of a view's strings holds less than 2^31 bytes, and so does each of them.
  if (is_view(format)) return value_type(format.substr(1));
  return value_type(format);
}

std::string type_name(const ArrowSchema& schema) {
  if (schema.dictionary == nullptr || schema.dictionary->format == nullptr) {
    return name_of_format(schema.format);
  }
  return "dictionary<values=" + name_of_format(schema.dictionary->format) + ">";
}

ArrowSchema make_schema(std::string_view format) {
  auto text = std::make_unique<std::string>(format);
  ArrowSchema schema = {.format = text->c_str(),
                        .name = "",
                        .metadata = nullptr,
                        .flags = ARROW_FLAG_NULLABLE,
                        .n_children = 0,
                        .children = nullptr,
                        .dictionary = nullptr,
                        .release = nullptr,
                        .private_data = nullptr};
  schema.release = [](ArrowSchema* released) {
    const std::unique_ptr<std::string> owned(static_cast<std::string*>(released->private_data));
    released->release = nullptr;
  };
  schema.private_data = text.release();
  return schema;
}

ArrayValues::ArrayValues(const ArrowSchema& schema, const ArrowArray& array) {
  const std::string_view format = schema.format;
  require(array.length >= 0 && array.offset >= 0, "length or offset is negative");
  require(array.length <= static_cast<std::int64_t>(format::tile_integer::max_column_values) &&
              array.offset <= static_cast<std::int64_t>(format::tile_integer::max_column_values),
          "length or offset is too large");
  size_ = static_cast<std::uint64_t>(array.length);
  first_ = static_cast<std::uint64_t>(array.offset);
  std::int64_t buffers = 2;
  if (schema.dictionary != nullptr) {
    layout_ = Layout::dictionary;
    bytes_ = index_bytes(format);
    has_signed_indices_ = std::string_view("csil").find(format) != std::string_view::npos;
    require(array.dictionary != nullptr, "its dictionary is missing");
    dictionary_ = std::make_unique<ArrayValues>(*schema.dictionary, *array.dictionary);
  } else if (is_view(format)) {
    layout_ = Layout::views;
    bytes_ = view_bytes;
    buffers = 3;
  } else if (const ValueType type = value_type(format).value(); type.offset_bytes != 0) {
    layout_ = Layout::offsets;
    bytes_ = type.offset_bytes;
    buffers = 3;
  } else {
    layout_ = Layout::fixed;
    bytes_ = type.value_bytes;
  }
  require(array.buffers != nullptr &&
              (layout_ == Layout::views ? array.n_buffers >= buffers : array.n_buffers == buffers),
          "has " + std::to_string(array.n_buffers) + " buffers, expected " + std::to_string(buffers));
  // Without nulls the buffer says nothing, and may be missing.
  validity_ = array.null_count == 0 ? nullptr : static_cast<const std::uint8_t*>(array.buffers[0]);
  require(validity_ != nullptr || array.null_count <= 0, "has nulls and no buffer that says which");
  data_ = static_cast<const std::uint8_t*>(array.buffers[1]);
  require(data_ != nullptr || size_ == 0, "the buffer of values or offsets is null");
  if (layout_ == Layout::offsets) string_bytes_ = static_cast<const std::uint8_t*>(array.buffers[2]);
  if (layout_ == Layout::views) {
    // The first two are nulls and views, the last one the bytes of those between.
    view_buffers_ = {array.buffers + 2, static_cast<std::size_t>(array.n_buffers - buffers)};
    view_buffer_bytes_ = static_cast<const std::int64_t*>(array.buffers[array.n_buffers - 1]);
    require(view_buffer_bytes_ != nullptr || view_buffers_.empty(), "the sizes of its buffers are missing");
  }
}

bool ArrayValues::is_null(std::uint64_t value) const {
  const std::uint64_t bit = first_ + value;
  if (validity_ != nullptr && (validity_[bit / 8] >> bit % 8 & 1U) == 0) return true;
  return dictionary_ != nullptr && dictionary_->is_null(index(value));
}

std::int64_t ArrayValues::offset(std::uint64_t value) const {
  if (bytes_ == 4) return load<std::int32_t>(data_, first_ + value);
  return load<std::int64_t>(data_, first_ + value);
}

std::uint64_t ArrayValues::index(std::uint64_t value) const {
  const std::uint64_t number = first_ + value;
  std::uint64_t index = 0;
  switch (bytes_) {
    case 1:
      index = load_index<std::int8_t, std::uint8_t>(data_, number, has_signed_indices_);
      break;
    case 2:
      index = load_index<std::int16_t, std::uint16_t>(data_, number, has_signed_indices_);
      break;
    case 4:
      index = load_index<std::int32_t, std::uint32_t>(data_, number, has_signed_indices_);
      break;
    default:
      index = load<std::uint64_t>(data_, number);
  }
  if (index >= dictionary_->size()) {
    require(false, "index " + std::to_string(value) + " is outside its dictionary");
  }
  return index;
}

std::string_view ArrayValues::view(std::uint64_t value) const {
  const std::uint8_t* const view = data_ + (first_ + value) * view_bytes;
  const auto bytes = load<std::int32_t>(view, 0);
  if (bytes < 0) require(false, "string " + std::to_string(value) + " has a negative length");
  const auto size = static_cast<std::uint32_t>(bytes);
  if (size <= inline_view_bytes) return {reinterpret_cast<const char*>(view) + sizeof(bytes), size};
  const auto buffer = load<std::int32_t>(view, 2);
  const auto start = load<std::int32_t>(view, 3);
  if (buffer < 0 || static_cast<std::size_t>(buffer) >= view_buffers_.size() || start < 0 ||
      std::int64_t{start} + bytes > view_buffer_bytes_[buffer]) {
    require(false, "string " + std::to_string(value) + " is outside its buffers");
  }
  return {static_cast<const char*>(view_buffers_[static_cast<std::size_t>(buffer)]) + start, size};
}

std::string_view ArrayValues::value(std::uint64_t value) const {
  switch (layout_) {
    case Layout::dictionary:
      return dictionary_->value(index(value));
    case Layout::views:
      return view(value);
    case Layout::fixed:
      return {reinterpret_cast<const char*>(data_) + (first_ + value) * bytes_, bytes_};
    case Layout::offsets:
      break;
  }
  const std::int64_t begin = offset(value);
  const std::int64_t end = offset(value + 1);
  if (begin < 0 || end < begin) {
    require(false, "the offsets of string " + std::to_string(value) + " descend");
  }
  return {reinterpret_cast<const char*>(string_bytes_) + begin, static_cast<std::size_t>(end - begin)};
}

std::uint64_t ArrayValues::plain_bytes() const {
  if (size_ == 0) return 0;
  if (layout_ == Layout::fixed) return size_ * bytes_;
  // What is wrong with offsets is said where they are read.
  return static_cast<std::uint64_t>(offset(size_)) - static_cast<std::uint64_t>(offset(0));
}

std::string_view ArrayValues::plain(std::uint64_t first, std::uint64_t count) const {
  if (count == 0) return {};
  if (layout_ == Layout::fixed) {
    return {reinterpret_cast<const char*>(data_) + (first_ + first) * bytes_, count * bytes_};
  }
  const std::string_view begin = value(first);
  const std::string_view last = value(first + count - 1);
  return {begin.data(), static_cast<std::size_t>(last.data() + last.size() - begin.data())};
}

ArrayBuilder::ArrayBuilder(ValueType type) : type_(std::move(type)), offsets_(type_.offset_bytes) {}

bool ArrayBuilder::has_room(std::uint64_t bytes) const {
  return type_.offset_bytes != 4 || data_.size() + bytes <= most_narrow_offset;
}

void ArrayBuilder::append_validity(const ArrayValues& values, std::uint64_t first, std::uint64_t count) {
  if (validity_.empty() && !values.has_nulls()) return;
  for (std::uint64_t value = first; value < first + count; ++value) {
    const std::uint64_t bit = size_ + (value - first);
    const bool is_null = values.is_null(value);
    if (is_null && validity_.empty()) validity_.assign(bit / 8 + 1, 0xff);
    if (validity_.empty()) continue;
    if (validity_.size() <= bit / 8) validity_.push_back(0xff);
    if (!is_null) continue;
    validity_[bit / 8] &= static_cast<std::uint8_t>(~(1U << bit % 8));
    ++null_count_;
  }
}

void ArrayBuilder::append_offset(std::uint64_t end) {
  offsets_.resize(offsets_.size() + type_.offset_bytes);
  // The low bytes: columns are for hosts of this byte order.
  std::memcpy(offsets_.data() + offsets_.size() - type_.offset_bytes, &end, type_.offset_bytes);
}

void ArrayBuilder::append(const ArrayValues& values, std::uint64_t value) {
  append_validity(values, value, 1);
  ++size_;
  if (values.is_null(value)) {
    data_.resize(data_.size() + type_.value_bytes);
  } else {
    const std::string_view bytes = values.value(value);
    if (!has_room(bytes.size())) refuse_more(type_);
    data_.insert(data_.end(), bytes.begin(), bytes.end());
  }
  if (type_.offset_bytes != 0) append_offset(data_.size());
}

void ArrayBuilder::append_all(const ArrayValues& values) {
  constexpr std::uint64_t any = std::numeric_limits<std::uint64_t>::max();
  if (append_some(values, 0, any, any) != values.size()) refuse_more(type_);
}

std::uint64_t ArrayBuilder::append_some(const ArrayValues& values, std::uint64_t first,
                                        std::uint64_t most_values, std::uint64_t most_bytes) {
  if (values.is_plain()) return append_plain(values, first, most_values, most_bytes);
  std::uint64_t value = first;
  for (; value < values.size() && size_ < most_values && data_.size() < most_bytes; ++value) {
    if (type_.offset_bytes == 4 && !values.is_null(value) && !has_room(values.value(value).size())) break;
    append(values, value);
  }
  return value;
}

std::uint64_t ArrayBuilder::append_plain(const ArrayValues& values, std::uint64_t first,
                                         std::uint64_t most_values, std::uint64_t most_bytes) {
  const std::uint64_t start = data_.size();
  std::uint64_t end = start;
  std::uint64_t value = first;
  for (; value < values.size() && size_ + (value - first) < most_values && end < most_bytes; ++value) {
    // Those that nulls hide too, so that all are copied at once.
    const std::uint64_t bytes = values.value(value).size();
    if (!has_room(end - start + bytes)) break;
    end += bytes;
    if (type_.offset_bytes != 0) append_offset(end);
  }
  const std::string_view bytes = values.plain(first, value - first);
  data_.insert(data_.end(), bytes.begin(), bytes.end());
  append_validity(values, first, value - first);
  size_ += value - first;
  return value;
}

ArrowArray ArrayBuilder::finish() {
  auto built = std::make_unique<BuiltBuffers>();
  built->validity = std::move(validity_);
  built->offsets = std::move(offsets_);
  built->data = std::move(data_);
  // Not null, whose meaning a buffer of strings does not have.
  built->data.reserve(1);
  const void* const validity = built->validity.empty() ? nullptr : built->validity.data();
  if (type_.offset_bytes == 0) {
    built->pointers = {validity, built->data.data(), nullptr};
  } else {
    built->pointers = {validity, built->offsets.data(), built->data.data()};
  }
  ArrowArray array = {
      .length = static_cast<std::int64_t>(size_),
      .null_count = static_cast<std::int64_t>(null_count_),
      .offset = 0,
      .n_buffers = type_.offset_bytes == 0 ? 2 : 3,
      .n_children = 0,
      .buffers = built->pointers.data(),
      .children = nullptr,
      .dictionary = nullptr,
      .release =
          [](ArrowArray* released) {
            const std::unique_ptr<BuiltBuffers> owned(static_cast<BuiltBuffers*>(released->private_data));
            released->release = nullptr;
          },
      .private_data = nullptr};
  array.private_data = built.release();
  return array;
}

}  // namespace gsst::python
