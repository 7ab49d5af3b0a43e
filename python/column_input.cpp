#include "python/column_input.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "gsst/column.h"
#include "library/failure.hpp"
#include "python/arrow_values.hpp"
#include "python/capsules.hpp"
#include "python/objects.hpp"
#include "python/without_gil.hpp"

// Arrays and streams of any library become arrays that columns are made of, and columns become streams.
namespace gsst::python {
namespace {

using Capsules = std::tuple<nb::object, nb::object>;

// What a part that is gathered from smaller arrays, or from another layout, has at most: whichever comes
// first. Integers have few bytes, which tell.
constexpr std::uint64_t most_strings = std::uint64_t{1} << 20;
constexpr std::uint64_t most_integers = std::uint64_t{1} << 23;
constexpr std::uint64_t most_gathered_bytes = std::uint64_t{64} << 20;
// An array of that many bytes is a part by itself and not copied: it fills a block of the default size.
constexpr std::uint64_t own_part_bytes = std::uint64_t{4} << 20;

template <typename Held>
struct Release {
  void operator()(Held* held) const { free_held(held); }
};
template <typename Held>
using Owned = std::unique_ptr<Held, Release<Held>>;

// What `held` holds, moved to where it is released in any case.
template <typename Held>
Owned<Held> take_over(Held* held) {
  return Owned<Held>(new Held(std::exchange(*held, {})));
}

Capsules make_capsules(std::string_view format, const ArrowArray& array) {
  nb::object of_array = make_capsule(std::make_unique<ArrowArray>(array), array_capsule);
  nb::object of_schema = make_capsule(std::make_unique<ArrowSchema>(make_schema(format)), schema_capsule);
  return {of_schema, of_array};
}

// The array of the column in an array that came, which is kept as long as any of its values is in use.
class Chunk {
public:
  // `child`: the number of the column in a table, or none of an array that is the column. Throws
  // std::invalid_argument.
  Chunk(const ArrowSchema& schema, std::shared_ptr<ArrowArray> whole, std::optional<std::int64_t> child)
      : whole_(std::move(whole)), array_(child ? column_of(*whole_, *child) : *whole_) {
    values_.emplace(schema, array_);
  }

  const ArrayValues& values() const { return *values_; }

  // An array of the chunk's memory, which is not copied.
  ArrowArray share() const {
    ArrowArray shared = array_;
    shared.release = [](ArrowArray* released) {
      delete static_cast<std::shared_ptr<ArrowArray>*>(released->private_data);
      released->release = nullptr;
    };
    shared.private_data = new std::shared_ptr<ArrowArray>(whole_);
    return shared;
  }

private:
  static void require(bool holds, const char* problem) {
    if (!holds) throw std::invalid_argument(std::string("table: ") + problem);
  }

  static ArrowArray column_of(const ArrowArray& table, std::int64_t child) {
    require(child < table.n_children && table.children != nullptr, "its arrays are not those of its schema");
    ArrowArray array = *table.children[child];
    require(table.length >= 0 && table.offset >= 0 && array.length >= table.offset &&
                array.length - table.offset >= table.length,
            "a column is shorter than the table");
    require(!has_null_rows(table), "whole rows are null");
    if (table.offset != 0 || table.length != array.length) {
      array.offset += table.offset;
      array.length = table.length;
      // It is that of all the rows.
      if (array.null_count != 0) array.null_count = -1;
    }
    return array;
  }

  static bool has_null_rows(const ArrowArray& table) {
    if (table.null_count == 0 || table.n_buffers < 1 || table.buffers[0] == nullptr) return false;
    const auto* const validity = static_cast<const std::uint8_t*>(table.buffers[0]);
    for (std::int64_t row = table.offset; row < table.offset + table.length; ++row) {
      if ((validity[row / 8] >> row % 8 & 1) == 0) return true;
    }
    return false;
  }

  std::shared_ptr<ArrowArray> whole_;
  ArrowArray array_;
  std::optional<ArrayValues> values_;
};

// The values that an array, a stream of them or a column of such a table has, in parts.
class ColumnInput {
public:
  ColumnInput(nb::handle schema, nb::handle array, std::optional<std::string> column) {
    schema_ = take_over(held_by<ArrowSchema>(schema, schema_capsule));
    whole_ = std::shared_ptr<ArrowArray>(take_over(array_of(array)));
    find_column(std::move(column));
    if (whole_->release == nullptr) raise(GSST_ERROR_INVALID_ARGUMENT, "array: has been released");
    without_gil([&] { advance(); });
    without_gil([&] { advance(); });
  }

  ColumnInput(nb::handle stream, std::optional<std::string> column) {
    stream_ = take_over(held_by<ArrowArrayStream>(stream, stream_capsule));
    if (stream_->release == nullptr) raise(GSST_ERROR_INVALID_ARGUMENT, "stream: has been released");
    schema_ = Owned<ArrowSchema>(new ArrowSchema{});
    without_gil([&] { check_stream(stream_->get_schema(stream_.get(), schema_.get())); });
    find_column(std::move(column));
    without_gil([&] { advance(); });
    without_gil([&] { advance(); });
  }

  // The name of the column, or nothing.
  std::string name() const { return name_; }
  bool holds_integers() const { return type_.value_bytes != 0; }

  // The next part. None once there are no more: at least one was given.
  std::optional<Capsules> next() {
    ArrowArray array{};
    bool is_one = false;
    without_gil([&] { is_one = next_array(array); });
    if (!is_one) return std::nullopt;
    return make_capsules(type_.format, array);
  }

private:
  std::string place() const { return name_.empty() ? "array" : "column '" + name_ + "'"; }

  // Raises gsst.Error.
  void find_column(std::optional<std::string> column) {
    const ArrowSchema* field = schema_.get();
    if (field->release == nullptr || field->format == nullptr) {
      raise(GSST_ERROR_INVALID_ARGUMENT, "schema: has been released, or has no format");
    }
    if (std::string_view(field->format) == "+s") {
      child_ = child_named(column);
      field = field->children[*child_];
    } else if (column) {
      raise(GSST_ERROR_INVALID_ARGUMENT,
            "column is '" + *column + "', and the data is of type " + type_name(*field) + ", not a table");
    }
    if (field->name != nullptr) name_ = field->name;
    const auto type = field->format == nullptr ? std::nullopt : stored_type(*field);
    if (!type) {
      raise(GSST_ERROR_INVALID_ARGUMENT,
            place() + ": type is " + type_name(*field) +
                ", expected strings, bytes, integers, dates, times, timestamps, durations or decimals of at"
                " most 18 digits");
    }
    type_ = *type;
    field_ = field;
  }

  std::int64_t child_named(const std::optional<std::string>& column) const {
    std::string names;
    std::optional<std::int64_t> found;
    for (std::int64_t child = 0; child < schema_->n_children; ++child) {
      const char* const name = schema_->children[child]->name;
      const std::string text = name == nullptr ? "" : name;
      names += (names.empty() ? "'" : ", '") + text + "'";
      if (column && text != *column) continue;
      if (found) {
        raise(GSST_ERROR_INVALID_ARGUMENT, column ? "several columns of the table are named '" + *column + "'"
                                                  : "the table has " + std::to_string(schema_->n_children) +
                                                        " columns: name one of them as `column`");
      }
      found = child;
    }
    if (!found && column) {
      raise(GSST_ERROR_INVALID_ARGUMENT,
            "the table has no column '" + *column + "', it has " + (names.empty() ? "no columns" : names));
    }
    if (!found) raise(GSST_ERROR_INVALID_ARGUMENT, "the table has no columns");
    return *found;
  }

  void check_stream(int error) {
    if (error == 0) return;
    const char* const text = stream_->get_last_error(stream_.get());
    throw library::ApiError(error == ENOMEM ? GSST_ERROR_OUT_OF_MEMORY : GSST_ERROR_INVALID_ARGUMENT,
                            "stream: " + std::string(text == nullptr ? std::strerror(error) : text));
  }

  // Moves to the next array that has values. One more is read in advance, so that an only array is known.
  void advance() {
    current_ = std::move(next_);
    position_ = 0;
    next_.reset();
    while (std::shared_ptr<ArrowArray> array = read()) {
      if (array->length == 0) continue;
      next_.emplace(*field_, std::move(array), child_);
      return;
    }
  }

  std::shared_ptr<ArrowArray> read() {
    if (!stream_) return std::exchange(whole_, nullptr);
    Owned<ArrowArray> array(new ArrowArray{});
    check_stream(stream_->get_next(stream_.get(), array.get()));
    return array->release == nullptr ? nullptr : std::shared_ptr<ArrowArray>(std::move(array));
  }

  bool next_array(ArrowArray& array) {
    ArrayBuilder gathered(type_);
    while (current_) {
      const ArrayValues& values = current_->values();
      const bool is_only = !next_ && gathered.size() == 0;
      if (position_ == 0 && values.is_plain() && (is_only || values.plain_bytes() >= own_part_bytes)) {
        if (gathered.size() != 0) break;
        array = current_->share();
        advance();
        is_begun_ = true;
        return true;
      }
      position_ = gathered.append_some(values, position_, holds_integers() ? most_integers : most_strings,
                                       most_gathered_bytes);
      if (position_ < values.size()) break;
      advance();
    }
    if (gathered.size() == 0 && is_begun_) return false;
    array = gathered.finish();
    is_begun_ = true;
    return true;
  }

  Owned<ArrowArrayStream> stream_;
  Owned<ArrowSchema> schema_;
  // Of an input that is one array, until it is read.
  std::shared_ptr<ArrowArray> whole_;
  // Of a table.
  std::optional<std::int64_t> child_;
  const ArrowSchema* field_ = nullptr;
  std::string name_;
  ValueType type_{};
  std::optional<Chunk> current_;
  std::optional<Chunk> next_;
  std::uint64_t position_ = 0;
  // Whether a part has been given.
  bool is_begun_ = false;
};

// The values of pairs of capsules, in the order of their numbers or, without these, one after another.
Capsules join(const std::vector<Capsules>& arrays, const std::string& format,
              const std::optional<std::vector<std::uint64_t>>& order) {
  std::vector<std::pair<const ArrowSchema*, const ArrowArray*>> held;
  held.reserve(arrays.size());
  for (const auto& [schema, array] : arrays) {
    held.emplace_back(held_by<ArrowSchema>(schema, schema_capsule),
                      held_by<ArrowArray>(array, array_capsule));
  }
  ArrowArray joined{};
  without_gil([&] {
    ArrayBuilder builder(value_type(format).value());
    std::vector<ArrayValues> values;
    values.reserve(held.size());
    for (const auto& [schema, array] : held) values.emplace_back(*schema, *array);
    if (!order) {
      for (const ArrayValues& array : values) builder.append_all(array);
    } else {
      std::vector<std::pair<std::size_t, std::uint64_t>> places;
      for (std::size_t array = 0; array < values.size(); ++array) {
        for (std::uint64_t value = 0; value < values[array].size(); ++value)
          places.emplace_back(array, value);
      }
      for (const std::uint64_t place : *order) {
        const auto& [array, value] = places.at(place);
        builder.append(values[array], value);
      }
    }
    joined = builder.finish();
  });
  return make_capsules(format, joined);
}

// Whether two pairs of capsules have the same values, and nulls at the same places.
bool equal(const Capsules& left, const Capsules& right) {
  const auto values_of = [](const Capsules& capsules) {
    return ArrayValues(*held_by<ArrowSchema>(std::get<0>(capsules), schema_capsule),
                       *held_by<ArrowArray>(std::get<1>(capsules), array_capsule));
  };
  const ArrayValues a = values_of(left);
  const ArrayValues b = values_of(right);
  const nb::gil_scoped_release released;
  if (a.size() != b.size()) return false;
  for (std::uint64_t value = 0; value < a.size(); ++value) {
    if (a.is_null(value) != b.is_null(value)) return false;
    if (!a.is_null(value) && a.value(value) != b.value(value)) return false;
  }
  return true;
}

// A stream whose arrays an iterator of Python gives.
struct StreamState {
  std::string format;
  nb::object arrays;
  std::string error;
};

StreamState& state_of(ArrowArrayStream* stream) {
  return *static_cast<StreamState*>(stream->private_data);
}

// Writes the text of the exception that Python has raised, and returns its number for the stream.
int keep_error(StreamState& state) {
  const nb::python_error raised;
  // Not what(), which has the lines of the traceback.
  state.error = nb::str(raised.value()).c_str();
  return raised.matches(PyExc_MemoryError) ? ENOMEM : EIO;
}

int next_of_stream(ArrowArrayStream* stream, ArrowArray* out) {
  const nb::gil_scoped_acquire acquired;
  StreamState& state = state_of(stream);
  *out = {};
  const nb::object array = nb::steal(PyIter_Next(state.arrays.ptr()));
  if (!array.is_valid()) return PyErr_Occurred() == nullptr ? 0 : keep_error(state);
  void* const held = PyCapsule_GetPointer(array.ptr(), array_capsule);
  if (held == nullptr) return keep_error(state);
  *out = std::exchange(*static_cast<ArrowArray*>(held), {});
  return 0;
}

// A capsule with a stream of the arrays of the type `format` whose capsules `arrays`, an iterator, gives.
nb::object make_stream(std::string format, nb::iterator arrays) {
  auto stream = std::make_unique<ArrowArrayStream>();
  auto state = std::make_unique<StreamState>();
  state->format = std::move(format);
  state->arrays = std::move(arrays);
  stream->get_schema = [](ArrowArrayStream* self, ArrowSchema* out) {
    *out = make_schema(state_of(self).format);
    return 0;
  };
  stream->get_next = &next_of_stream;
  stream->get_last_error = [](ArrowArrayStream* self) {
    const StreamState& held = state_of(self);
    return held.error.empty() ? nullptr : held.error.c_str();
  };
  stream->release = [](ArrowArrayStream* released) {
    const nb::gil_scoped_acquire acquired;
    delete static_cast<StreamState*>(released->private_data);
    released->release = nullptr;
  };
  stream->private_data = state.release();
  return make_capsule(std::move(stream), stream_capsule);
}

}  // namespace

void add_column_input(nb::module_& module) {
  nb::class_<ColumnInput>(module, "ColumnInput")
      .def(nb::init<nb::handle, nb::handle, std::optional<std::string>>(), nb::arg("schema"),
           nb::arg("array"), nb::arg("column").none())
      .def(nb::init<nb::handle, std::optional<std::string>>(), nb::arg("stream"), nb::arg("column").none())
      .def("name", &ColumnInput::name)
      .def("holds_integers", &ColumnInput::holds_integers)
      .def("next", &ColumnInput::next);
  module.def("join", &join, nb::arg("arrays"), nb::arg("format"), nb::arg("order").none());
  module.def("equal", &equal, nb::arg("left"), nb::arg("right"));
  module.def("make_stream", &make_stream, nb::arg("format"), nb::arg("arrays"),
             nb::sig("def make_stream(format: str, arrays: typing.Iterator[object]) -> object"));
}

}  // namespace gsst::python
