#include "library/arrow_strings.hpp"

#include <array>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>

namespace gsst::library {
namespace {

using format::ColumnType;
using format::StringKind;

constexpr std::int64_t buffer_count = 3;

struct NamedType {
  const char* arrow_format;
  ColumnType type;
};

constexpr std::array named_types = {
    NamedType{"u", {.kind = StringKind::text, .offset_width = 4}},
    NamedType{"U", {.kind = StringKind::text, .offset_width = 8}},
    NamedType{"z", {.kind = StringKind::bytes, .offset_width = 4}},
    NamedType{"Z", {.kind = StringKind::bytes, .offset_width = 8}},
};

ColumnType type_of(const ArrowSchema& schema) {
  if (schema.release == nullptr) throw std::invalid_argument("schema: has been released");
  if (schema.format == nullptr) throw std::invalid_argument("schema: format is null");
  for (const NamedType& named : named_types) {
    if (std::string_view(schema.format) == named.arrow_format && schema.dictionary == nullptr) {
      return named.type;
    }
  }
  throw std::invalid_argument("schema: format is '" + std::string(schema.format) +
                              (schema.dictionary != nullptr ? "' with a dictionary" : "'") +
                              ", expected u, U, z or Z: string, large_string, binary or large_binary");
}

const char* arrow_format(const ColumnType& type) {
  for (const NamedType& named : named_types) {
    if (named.type == type) return named.arrow_format;
  }
  throw std::logic_error("a column has a type that Arrow has not");
}

void require(bool holds, const char* problem) {
  if (!holds) throw std::invalid_argument(std::string("array: ") + problem);
}

// Has nothing of its own to free.
void release_schema(ArrowSchema* schema) {
  schema->release = nullptr;
}

}  // namespace

ArrowSchema make_arrow_schema(const ColumnType& type) {
  return {.format = arrow_format(type),
          .name = "",
          .metadata = nullptr,
          .flags = ARROW_FLAG_NULLABLE,
          .n_children = 0,
          .children = nullptr,
          .dictionary = nullptr,
          .release = release_schema,
          .private_data = nullptr};
}

ArrowStrings::ArrowStrings(const ArrowSchema& schema, const ArrowArray& array) : type_(type_of(schema)) {
  require(array.release != nullptr, "has been released");
  require(array.length >= 0 && array.offset >= 0, "length or offset is negative");
  require(array.length <= std::numeric_limits<std::int64_t>::max() - array.offset, "length is too large");
  require(array.n_buffers == buffer_count && array.buffers != nullptr, "has not the 3 buffers of strings");
  size_ = static_cast<std::uint64_t>(array.length);
  first_ = static_cast<std::uint64_t>(array.offset);
  // Without nulls the buffer says nothing, and may be missing.
  validity_ = array.null_count == 0 ? nullptr : static_cast<const std::uint8_t*>(array.buffers[0]);
  require(validity_ != nullptr || array.null_count <= 0, "has nulls and no buffer that says which");
  offsets_ = static_cast<const std::uint8_t*>(array.buffers[1]);
  require(offsets_ != nullptr || size_ == 0, "the buffer of offsets is null");
  data_ = static_cast<const std::uint8_t*>(array.buffers[2]);
}

std::int64_t ArrowStrings::offset_at(std::uint64_t place) const {
  if (type_.offset_width == 4) {
    std::int32_t offset = 0;
    std::memcpy(&offset, offsets_ + (first_ + place) * sizeof(offset), sizeof(offset));
    return offset;
  }
  std::int64_t offset = 0;
  std::memcpy(&offset, offsets_ + (first_ + place) * sizeof(offset), sizeof(offset));
  return offset;
}

std::optional<std::span<const std::uint8_t>> ArrowStrings::string(std::uint64_t string) const {
  const std::int64_t begin = offset_at(string);
  const std::int64_t end = offset_at(string + 1);
  if (begin < 0 || end < begin) {
    throw std::invalid_argument("array: the offsets of string " + std::to_string(string) + " are " +
                                std::to_string(begin) + " and " + std::to_string(end));
  }
  require(data_ != nullptr || begin == end, "the buffer of bytes is null");
  const std::uint64_t place = first_ + string;
  if (validity_ != nullptr && (validity_[place / 8] >> (place % 8) & 1) == 0) return std::nullopt;
  return std::span(data_ + begin, static_cast<std::size_t>(end - begin));
}

std::span<const std::uint8_t> ArrowStrings::bytes() const {
  if (size_ == 0 || data_ == nullptr) return {};
  return {data_ + offset_at(0), static_cast<std::size_t>(offset_at(size_) - offset_at(0))};
}

std::vector<std::uint8_t> ArrowStrings::gather(std::uint64_t string_bytes) const {
  std::vector<std::uint8_t> gathered;
  gathered.reserve(string_bytes);
  for (std::uint64_t number = 0; number < size_; ++number) {
    const auto of_number = string(number);
    if (of_number) gathered.insert(gathered.end(), of_number->begin(), of_number->end());
  }
  return gathered;
}

// What an array points to. Freed by the array's release function.
struct ArrowStringsBuilder::Buffers {
  std::unique_ptr<std::uint8_t[]> validity;
  std::unique_ptr<std::uint8_t[]> offsets;
  std::unique_ptr<std::uint8_t[]> data;
  std::array<const void*, buffer_count> pointers;
};

void ArrowStringsBuilder::ReleaseBuffers::operator()(Buffers* buffers) const {
  std::default_delete<Buffers>()(buffers);
}

ArrowStringsBuilder::ArrowStringsBuilder(const ColumnType& type, std::uint64_t size,
                                         std::uint64_t string_bytes, std::uint64_t spare_bytes)
    : type_(type), size_(size), spare_bytes_(spare_bytes), buffers_(new Buffers{}) {
  if (type.offset_width == 4 && string_bytes > format::max_narrow_string_bytes) {
    throw std::invalid_argument("the strings have " + std::to_string(string_bytes) +
                                " bytes, offsets of 4 bytes say at most " +
                                std::to_string(format::max_narrow_string_bytes));
  }
  buffers_->validity = std::make_unique<std::uint8_t[]>((size + 7) / 8);
  buffers_->offsets = std::make_unique<std::uint8_t[]>((size + 1) * type.offset_width);
  buffers_->data = std::make_unique_for_overwrite<std::uint8_t[]>(string_bytes + spare_bytes);
}

void ArrowStringsBuilder::add_string(std::uint64_t bytes) {
  buffers_->validity[added_ / 8] |= static_cast<std::uint8_t>(1U << (added_ % 8));
  end_ += bytes;
  end_string();
}

void ArrowStringsBuilder::add_null() {
  ++null_count_;
  end_string();
}

void ArrowStringsBuilder::end_string() {
  ++added_;
  std::uint8_t* const offset = buffers_->offsets.get() + added_ * type_.offset_width;
  // The byte order of the machine: Arrow's.
  if (type_.offset_width == 4) {
    const auto end = static_cast<std::int32_t>(end_);
    std::memcpy(offset, &end, sizeof(end));
  } else {
    const auto end = static_cast<std::int64_t>(end_);
    std::memcpy(offset, &end, sizeof(end));
  }
}

std::span<std::uint8_t> ArrowStringsBuilder::data() {
  return {buffers_->data.get(), end_};
}

std::span<std::uint8_t> ArrowStringsBuilder::data_with_spare() {
  return {buffers_->data.get(), end_ + spare_bytes_};
}

void ArrowStringsBuilder::release_array(ArrowArray* array) {
  const std::unique_ptr<Buffers, ReleaseBuffers> owned(static_cast<Buffers*>(array->private_data));
  array->release = nullptr;
}

void ArrowStringsBuilder::move_to(ArrowSchema& schema, ArrowArray& array) {
  if (added_ != size_) throw std::logic_error("an array has other strings than it was made for");
  buffers_->pointers = {null_count_ == 0 ? nullptr : buffers_->validity.get(), buffers_->offsets.get(),
                        buffers_->data.get()};
  schema = make_arrow_schema(type_);
  array = {.length = static_cast<std::int64_t>(size_),
           .null_count = static_cast<std::int64_t>(null_count_),
           .offset = 0,
           .n_buffers = buffer_count,
           .n_children = 0,
           .buffers = buffers_->pointers.data(),
           .children = nullptr,
           .dictionary = nullptr,
           .release = release_array,
           .private_data = nullptr};
  array.private_data = buffers_.release();
}

}  // namespace gsst::library
