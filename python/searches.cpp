#include "python/searches.hpp"

#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "gsst/search.hpp"
#include "python/capsules.hpp"
#include "python/objects.hpp"

namespace gsst::python {
namespace {

// What `search` gives for the bytes of `data` and the options.
template <typename Search>
auto search_data(nb::handle data, std::uint32_t format, std::uint32_t threads, bool verify,
                 const Search& search) {
  const Input input(data);
  const DecompressOptions options{
      .format = static_cast<Format>(format), .threads = threads, .skip_checksums = !verify};
  auto found = [&] {
    const nb::gil_scoped_release released;
    return search(input.bytes(), options);
  }();
  return value_or_raise(std::move(found));
}

class PythonSearchPlan {
public:
  // `kind`: a gsst_pattern_kind, of all patterns.
  PythonSearchPlan(const std::vector<nb::bytes>& patterns, std::uint32_t kind, bool ignore_case, bool utf8)
      : plan_(make_plan(patterns, kind, {.ignore_case = ignore_case, .utf8 = utf8})) {}

  std::uint64_t count(nb::handle data, std::uint32_t format, std::uint32_t threads, bool verify) const {
    return search_data(data, format, threads, verify,
                       [&](auto frame, const auto& options) { return plan_.count(frame, options); });
  }

  // Of each match its offset and its bytes.
  nb::typed<nb::list, std::tuple<std::uint64_t, std::uint64_t>> find(nb::handle data, std::uint32_t format,
                                                                     std::uint32_t threads,
                                                                     bool verify) const {
    const std::vector<Match> matches =
        search_data(data, format, threads, verify,
                    [&](auto frame, const auto& options) { return plan_.find(frame, options); });
    nb::list found;
    for (const Match& match : matches) found.append(nb::make_tuple(match.offset, match.bytes));
    return nb::borrow<nb::typed<nb::list, std::tuple<std::uint64_t, std::uint64_t>>>(found);
  }

  // A pair of capsules.
  std::tuple<nb::object, nb::object> match_column(nb::handle data, std::uint32_t threads, bool verify) const {
    return capsules_of(
        search_data(data, GSST_FORMAT_DEFAULT, threads, verify,
                    [&](auto column, const auto& options) { return plan_.match_column(column, options); }));
  }

  std::tuple<nb::object, nb::object> count_in_column(nb::handle data, std::uint32_t threads,
                                                     bool verify) const {
    return capsules_of(search_data(
        data, GSST_FORMAT_DEFAULT, threads, verify,
        [&](auto column, const auto& options) { return plan_.count_in_column(column, options); }));
  }

private:
  static SearchPlan make_plan(const std::vector<nb::bytes>& patterns, std::uint32_t kind,
                              const SearchOptions& options) {
    std::vector<Pattern> given;
    given.reserve(patterns.size());
    for (const nb::bytes& pattern : patterns) {
      given.push_back({.text = {static_cast<const char*>(pattern.data()), pattern.size()},
                       .kind = static_cast<PatternKind>(kind)});
    }
    return value_or_raise(SearchPlan::create(given, options));
  }

  static std::tuple<nb::object, nb::object> capsules_of(FoundStrings found) {
    auto schema = std::make_unique<ArrowSchema>(std::exchange(found.array.schema(), {}));
    auto array = std::make_unique<ArrowArray>(std::exchange(found.array.array(), {}));
    nb::object of_array = make_capsule(std::move(array), array_capsule);
    nb::object of_schema = make_capsule(std::move(schema), schema_capsule);
    return {of_schema, of_array};
  }

  SearchPlan plan_;
};

}  // namespace

void add_searches(nb::module_& module) {
  nb::class_<PythonSearchPlan>(module, "SearchPlan")
      .def(nb::init<const std::vector<nb::bytes>&, std::uint32_t, bool, bool>(), nb::arg("patterns"),
           nb::arg("kind"), nb::arg("ignore_case"), nb::arg("utf8"))
      .def("count", &PythonSearchPlan::count, nb::arg("data"), nb::arg("format"), nb::arg("threads"),
           nb::arg("verify"))
      .def("find", &PythonSearchPlan::find, nb::arg("data"), nb::arg("format"), nb::arg("threads"),
           nb::arg("verify"))
      .def("match_column", &PythonSearchPlan::match_column, nb::arg("data"), nb::arg("threads"),
           nb::arg("verify"))
      .def("count_in_column", &PythonSearchPlan::count_in_column, nb::arg("data"), nb::arg("threads"),
           nb::arg("verify"));
}

}  // namespace gsst::python
