#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <type_traits>

// What the codec uses of C++20 and the standard library of Debian's Emscripten lacks: algorithms on ranges,
// in the forms that the codec calls, memory that is not cleared, and atomic accesses to plain numbers.
// Included before each of the codec's sources. Version 15 of that library has most of it.
#if _LIBCPP_VERSION < 15000
namespace std {

template <typename Array>
unique_ptr<Array> make_unique_for_overwrite(size_t count) {
  return unique_ptr<Array>(new remove_extent_t<Array>[count]);
}

template <typename Object>
unique_ptr<Object> make_unique_for_overwrite() {
  return unique_ptr<Object>(new Object);
}

namespace ranges {

template <typename Range, typename Condition>
auto find_if(Range&& range, Condition condition) {
  return std::find_if(std::begin(range), std::end(range), std::ref(condition));
}

template <typename Range, typename Condition>
bool all_of(Range&& range, Condition condition) {
  return std::all_of(std::begin(range), std::end(range), std::ref(condition));
}

template <typename Range, typename Output, typename Condition>
Output copy_if(Range&& range, Output output, Condition condition) {
  return std::copy_if(std::begin(range), std::end(range), output, std::ref(condition));
}

template <typename Range, typename Value, typename Projection = identity>
auto find(Range&& range, const Value& value, Projection projection = {}) {
  return std::find_if(std::begin(range), std::end(range),
                      [&](const auto& element) { return std::invoke(projection, element) == value; });
}

template <typename Range, typename Projection>
auto adjacent_find(Range&& range, equal_to /*same*/, Projection projection) {
  return std::adjacent_find(std::begin(range), std::end(range), [&](const auto& left, const auto& right) {
    return std::invoke(projection, left) == std::invoke(projection, right);
  });
}

template <typename Range, typename Projection>
void sort(Range&& range, less order, Projection projection) {
  std::sort(std::begin(range), std::end(range), [&](const auto& left, const auto& right) {
    return order(std::invoke(projection, left), std::invoke(projection, right));
  });
}

template <typename Range, typename Projection>
void stable_sort(Range&& range, less order, Projection projection) {
  std::stable_sort(std::begin(range), std::end(range), [&](const auto& left, const auto& right) {
    return order(std::invoke(projection, left), std::invoke(projection, right));
  });
}

template <typename Range, typename Value, typename Projection>
auto upper_bound(Range&& range, const Value& value, less order, Projection projection) {
  return std::upper_bound(
      std::begin(range), std::end(range), value,
      [&](const Value& left, const auto& right) { return order(left, std::invoke(projection, right)); });
}

template <typename Range, typename Output>
Output copy(Range&& range, Output output) {
  return std::copy(std::begin(range), std::end(range), output);
}

}  // namespace ranges
}  // namespace std
#endif

// Version 19 has this.
#if _LIBCPP_VERSION < 19000
namespace std {

template <typename Object>
class atomic_ref {
public:
  explicit atomic_ref(Object& object) : object_(object) {}

  Object load(memory_order /*relaxed*/) const { return __atomic_load_n(&object_, __ATOMIC_RELAXED); }
  void store(Object value, memory_order /*relaxed*/) const {
    __atomic_store_n(&object_, value, __ATOMIC_RELAXED);
  }

private:
  Object& object_;
};

}  // namespace std
#endif
