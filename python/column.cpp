#include "python/column.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "gsst/column.h"
#include "python/capsules.hpp"
#include "python/objects.hpp"

// Arrays come and go as the pairs of capsules of the Arrow PyCapsule interface.
namespace gsst::python {
namespace {

void check(gsst_error error, const gsst_message& message) {
  if (error != GSST_OK) raise(error, message.text);
}

struct DestroyPlan {
  void operator()(gsst_column_compress_plan* plan) const { gsst_column_compress_plan_destroy(plan); }
  void operator()(gsst_column_plan* plan) const { gsst_column_plan_destroy(plan); }
};

// The array of a capsule as one of the Arrow C device data interface, to which it moves.
nb::object on_cpu_device(nb::handle capsule) {
  auto* const array = held_by<ArrowArray>(capsule, array_capsule);
  auto moved = std::make_unique<ArrowDeviceArray>();
  moved->array = std::exchange(*array, {});
  moved->device_id = -1;
  moved->device_type = ARROW_DEVICE_CPU;
  return make_capsule(std::move(moved), device_array_capsule);
}

// How Arrow writes the types that a column can have.
struct StringType {
  bool is_text;
  bool is_large;
};

// Nothing for any other type.
std::optional<StringType> string_type(std::string_view format) {
  if (format == "u" || format == "U") return StringType{.is_text = true, .is_large = format == "U"};
  if (format == "z" || format == "Z") return StringType{.is_text = false, .is_large = format == "Z"};
  return std::nullopt;
}

const char* format_of(const StringType& type) {
  if (type.is_text) return type.is_large ? "U" : "u";
  return type.is_large ? "Z" : "z";
}

// The strings of an array that the library made: nothing before its first one, and buffers for nulls (or null
// if there are none), offsets and bytes.
class ArrayView {
public:
  ArrayView(const StringType& type, const ArrowArray& array) : type_(type), array_(array) {}

  std::size_t size() const { return static_cast<std::size_t>(array_.length); }
  bool is_null(std::size_t string) const {
    const auto* const validity = static_cast<const std::uint8_t*>(array_.buffers[0]);
    return validity != nullptr && (validity[string / 8] >> (string % 8) & 1U) == 0;
  }
  std::int64_t offset(std::size_t place) const {
    if (type_.is_large) return static_cast<const std::int64_t*>(array_.buffers[1])[place];
    return static_cast<const std::int32_t*>(array_.buffers[1])[place];
  }
  std::string_view string(std::size_t string) const {
    const auto* const data = static_cast<const char*>(array_.buffers[2]);
    return {data + offset(string), static_cast<std::size_t>(offset(string + 1) - offset(string))};
  }

private:
  StringType type_;
  const ArrowArray& array_;
};

// A string as an object. Raises UnicodeDecodeError for text that is not UTF-8.
nb::object object_of(const StringType& type, std::string_view string) {
  const auto size = static_cast<Py_ssize_t>(string.size());
  PyObject* const made = type.is_text ? PyUnicode_DecodeUTF8(string.data(), size, nullptr)
                                      : PyBytes_FromStringAndSize(string.data(), size);
  if (made == nullptr) throw nb::python_error();
  return nb::steal(made);
}

// The strings of a pair of capsules that decompressing gave, None for nulls.
nb::list to_list(nb::handle schema, nb::handle array) {
  const StringType type = string_type(held_by<ArrowSchema>(schema, schema_capsule)->format).value();
  const ArrayView strings(type, *held_by<ArrowArray>(array, array_capsule));
  nb::list objects;
  for (std::size_t string = 0; string < strings.size(); ++string) {
    objects.append(strings.is_null(string) ? nb::none() : object_of(type, strings.string(string)));
  }
  return objects;
}

void check_is_text(const ArrayView& strings) {
  for (std::size_t string = 0; string < strings.size(); ++string) {
    try {
      if (!strings.is_null(string)) object_of({.is_text = true, .is_large = false}, strings.string(string));
    } catch (const nb::python_error& error) {
      if (!error.matches(PyExc_UnicodeDecodeError)) throw;
      raise(GSST_ERROR_INVALID_ARGUMENT,
            "string " + std::to_string(string) + " is not UTF-8, as the requested type of the array asks");
    }
  }
}

// An array whose offsets are others than those of the array that it holds.
struct WithOffsets {
  ArrowArray array;
  std::vector<std::byte> offsets;
  std::array<const void*, 3> buffers;
};

template <typename Offset>
void replace_offsets(const ArrayView& strings, ArrowArray& array) {
  auto made = std::make_unique<WithOffsets>();
  made->offsets.resize((strings.size() + 1) * sizeof(Offset));
  for (std::size_t place = 0; place <= strings.size(); ++place) {
    const auto offset = static_cast<Offset>(strings.offset(place));
    std::memcpy(made->offsets.data() + place * sizeof(Offset), &offset, sizeof(Offset));
  }
  made->buffers = {array.buffers[0], made->offsets.data(), array.buffers[2]};
  made->array = array;
  array.buffers = made->buffers.data();
  array.release = [](ArrowArray* released) {
    const std::unique_ptr<WithOffsets> held(static_cast<WithOffsets*>(released->private_data));
    held->array.release(&held->array);
    released->release = nullptr;
  };
  array.private_data = made.release();
}

// The format of the type that is requested of a column of strings of `format`, where that is one of strings
// or bytes with offsets, else `format`.
std::string requested_format(const std::string& format, nb::handle requested) {
  const auto wanted = string_type(held_by<ArrowSchema>(requested, schema_capsule)->format);
  return wanted ? format_of(*wanted) : format;
}

// Makes a pair of capsules that decompressing gave one of the type that is written as `format`. Raises
// gsst.Error for more bytes than its offsets can say, and for bytes that are requested as text and are none.
void convert(nb::handle schema, nb::handle array, const std::string& format) {
  const StringType wanted = string_type(format).value();
  auto* const of_type = held_by<ArrowSchema>(schema, schema_capsule);
  auto* const held = held_by<ArrowArray>(array, array_capsule);
  const StringType type = string_type(of_type->format).value();
  const ArrayView strings(type, *held);
  if (!wanted.is_large && strings.offset(strings.size()) > std::numeric_limits<std::int32_t>::max()) {
    raise(GSST_ERROR_INVALID_ARGUMENT, "the strings have " + std::to_string(strings.offset(strings.size())) +
                                           " bytes, more than the requested type of the array can hold");
  }
  if (wanted.is_text && !type.is_text) check_is_text(strings);
  if (wanted.is_large && !type.is_large) replace_offsets<std::int64_t>(strings, *held);
  if (!wanted.is_large && type.is_large) replace_offsets<std::int32_t>(strings, *held);
  of_type->format = format_of(wanted);
}

nb::bytes compress_column(nb::handle schema, nb::handle array, std::uint32_t format,
                          std::uint64_t block_bytes, std::uint32_t splits, std::uint32_t level,
                          std::uint32_t threads, std::uint32_t strip_codes, std::uint32_t checksum,
                          std::uint32_t layout, std::optional<std::uint8_t> separator) {
  const gsst_compress_options options{.struct_bytes = sizeof(gsst_compress_options),
                                      .format = format,
                                      .block_bytes = block_bytes,
                                      .splits = splits,
                                      .level = level,
                                      .threads = threads,
                                      .strip_codes = strip_codes,
                                      .checksum = checksum,
                                      .reserved = 0};
  const gsst_column_options column_options{.struct_bytes = sizeof(gsst_column_options),
                                           .layout = layout,
                                           .has_separator = separator ? 1U : 0U,
                                           .separator = separator.value_or(0)};
  const auto* const arrow_schema = held_by<ArrowSchema>(schema, schema_capsule);
  const ArrowArray* const arrow_array = array_of(array);
  gsst_column_compress_plan* created = nullptr;
  gsst_message message;
  const gsst_error planned = [&] {
    const nb::gil_scoped_release released;
    return gsst_column_compress_plan_create_with(arrow_schema, arrow_array, &options, &column_options,
                                                 &created, &message);
  }();
  const std::unique_ptr<gsst_column_compress_plan, DestroyPlan> plan(created);
  check(planned, message);
  nb::bytes output = new_bytes(gsst_column_compress_plan_output_bytes(plan.get()));
  const std::span<std::byte> memory = bytes_of(output);
  std::size_t bytes = 0;
  const gsst_error compressed = [&] {
    const nb::gil_scoped_release released;
    return gsst_column_compress_execute(plan.get(), memory.data(), memory.size(), &bytes, &message);
  }();
  check(compressed, message);
  return shorten(std::move(output), bytes);
}

// The values of the array in a capsule.
std::int64_t array_length(nb::handle array) {
  return array_of(array)->length;
}

std::size_t last_column_bytes(nb::handle columns) {
  const Buffer buffer(columns, PyBUF_SIMPLE);
  std::size_t bytes = 0;
  gsst_message message;
  check(gsst_last_column_bytes(buffer.bytes().data(), buffer.size(), &bytes, &message), message);
  return bytes;
}

// A plan with the buffer that it refers to.
class ColumnPlan {
public:
  ColumnPlan(nb::handle data, std::uint32_t threads, bool verify) : column_(data, PyBUF_SIMPLE) {
    const gsst_decompress_options options{.struct_bytes = sizeof(gsst_decompress_options),
                                          .format = GSST_FORMAT_DEFAULT,
                                          .threads = threads,
                                          .skip_checksums = verify ? 0U : 1U};
    gsst_column_plan* created = nullptr;
    gsst_message message;
    const gsst_error error = [&] {
      const nb::gil_scoped_release released;
      return gsst_column_plan_create(column_.bytes().data(), column_.size(), &options, &created, &message);
    }();
    plan_.reset(created);
    check(error, message);
  }

  // Of gsst_column_info, in its order, from compressed_bytes on.
  std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t> info() const {
    const gsst_column_info info = column_info();
    return {info.compressed_bytes, info.length_bytes, info.string_count, info.null_count, info.string_bytes};
  }

  std::uint64_t count() const { return column_info().string_count; }

  // The number of its gsst_column_layout.
  std::uint32_t layout() const { return column_info().layout; }

  // What stands after each string.
  std::optional<std::uint8_t> separator() const {
    const gsst_column_info info = column_info();
    return info.has_separator == 1 ? std::optional(static_cast<std::uint8_t>(info.separator)) : std::nullopt;
  }

  std::string format() const {
    const gsst_column_info info = column_info();
    return format_of({.is_text = info.kind == GSST_STRING_TEXT, .is_large = info.offset_width == 8});
  }

  std::tuple<nb::object, nb::object> decompress(std::uint64_t first, std::uint64_t count) const {
    return make_array([&](ArrowSchema* schema, ArrowArray* array, gsst_message* message) {
      return gsst_column_decompress(plan_.get(), first, count, schema, array, nullptr, message);
    });
  }

  std::tuple<nb::object, nb::object> take(const std::vector<std::uint64_t>& strings) const {
    return make_array([&](ArrowSchema* schema, ArrowArray* array, gsst_message* message) {
      return gsst_column_take(plan_.get(), strings.data(), strings.size(), schema, array, nullptr, message);
    });
  }

private:
  gsst_column_info column_info() const {
    gsst_column_info info{};
    info.struct_bytes = sizeof(info);
    gsst_column_plan_info(plan_.get(), &info);
    return info;
  }

  template <typename Decompress>
  static std::tuple<nb::object, nb::object> make_array(const Decompress& decompress) {
    auto schema = std::make_unique<ArrowSchema>();
    auto array = std::make_unique<ArrowArray>();
    gsst_message message;
    const gsst_error error = [&] {
      const nb::gil_scoped_release released;
      return decompress(schema.get(), array.get(), &message);
    }();
    check(error, message);
    nb::object of_array = make_capsule(std::move(array), array_capsule);
    nb::object of_schema = make_capsule(std::move(schema), schema_capsule);
    return {of_schema, of_array};
  }

  Buffer column_;
  std::unique_ptr<gsst_column_plan, DestroyPlan> plan_;
};

}  // namespace

void add_columns(nb::module_& module) {
  module.def("compress_column", &compress_column, nb::arg("schema"), nb::arg("array"), nb::arg("format"),
             nb::arg("block_bytes"), nb::arg("splits"), nb::arg("level"), nb::arg("threads"),
             nb::arg("strip_codes"), nb::arg("checksum"), nb::arg("layout"), nb::arg("separator").none());
  module.def("requested_format", &requested_format, nb::arg("format"), nb::arg("requested"));
  module.def("convert", &convert, nb::arg("schema"), nb::arg("array"), nb::arg("format"));
  module.def("on_cpu_device", &on_cpu_device, nb::arg("array"));
  module.def("to_list", &to_list, nb::arg("schema"), nb::arg("array"),
             nb::sig("def to_list(schema: object, array: object) -> list[str | bytes | None]"));
  module.def("array_length", &array_length, nb::arg("array"));
  module.def("last_column_bytes", &last_column_bytes, nb::arg("columns"));
  nb::class_<ColumnPlan>(module, "ColumnPlan")
      .def(nb::init<nb::handle, std::uint32_t, bool>(), nb::arg("data"), nb::arg("threads"),
           nb::arg("verify"))
      .def("info", &ColumnPlan::info)
      .def("count", &ColumnPlan::count)
      .def("format", &ColumnPlan::format)
      .def("layout", &ColumnPlan::layout)
      .def("separator", &ColumnPlan::separator)
      .def("decompress", &ColumnPlan::decompress, nb::arg("first"), nb::arg("count"))
      .def("take", &ColumnPlan::take, nb::arg("strings"));
}

}  // namespace gsst::python
