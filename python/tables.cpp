#include "python/tables.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "gsst/table.hpp"
#include "python/objects.hpp"

namespace gsst::python {
namespace {

// Shorter work than letting another thread run.
constexpr std::size_t short_bytes = std::size_t{64} << 10;

template <typename Work>
auto without_gil_if_long(std::size_t bytes, const Work& work) {
  if (bytes <= short_bytes) return work();
  const nb::gil_scoped_release released;
  return work();
}

class PythonTable {
public:
  explicit PythonTable(Table table) : table_(std::move(table)) {}

  static PythonTable train(const nb::typed<nb::iterable, nb::object>& samples) {
    std::vector<std::unique_ptr<const Input>> inputs;
    std::vector<std::span<const std::byte>> spans;
    for (const nb::handle sample : samples) {
      inputs.push_back(std::make_unique<const Input>(sample));
      spans.push_back(inputs.back()->bytes());
    }
    auto table = [&] {
      const nb::gil_scoped_release released;
      return Table::train(spans);
    }();
    return PythonTable(value_or_raise(std::move(table)));
  }

  static PythonTable load(nb::handle saved) {
    return PythonTable(value_or_raise(Table::load(Input(saved).bytes())));
  }

  nb::bytes save() const {
    const std::vector<std::byte> saved = table_.save();
    return nb::bytes(saved.data(), saved.size());
  }

  std::uint32_t id() const { return table_.id(); }

  nb::bytes compress(nb::handle data, bool names_table) const {
    const Input input(data);
    nb::bytes output = new_bytes(gsst_value_bound(input.size()));
    const std::span<std::byte> memory = bytes_of(output);
    const auto value = without_gil_if_long(input.size(), [&] {
      return table_.compress(input.bytes(), memory, names_table ? GSST_VALUE_NAMES_TABLE : 0U);
    });
    return shorten(std::move(output), value_or_raise(value).size());
  }

  nb::bytes decompress(nb::handle value) const {
    const Input input(value);
    const auto text =
        value_or_raise(without_gil_if_long(input.size(), [&] { return table_.decompress(input.bytes()); }));
    return nb::bytes(text.data(), text.size());
  }

private:
  Table table_;
};

}  // namespace

void add_tables(nb::module_& module) {
  nb::class_<PythonTable>(module, "Table")
      .def_static("train", &PythonTable::train, nb::arg("samples"))
      .def_static("load", &PythonTable::load, nb::arg("saved"))
      .def("save", &PythonTable::save)
      .def("id", &PythonTable::id)
      .def("compress", &PythonTable::compress, nb::arg("data"), nb::arg("names_table"))
      .def("decompress", &PythonTable::decompress, nb::arg("value"));
}

}  // namespace gsst::python
