#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <tuple>
#include <vector>

#include "gsst/gsst.hpp"
#include "python/column.hpp"
#include "python/column_input.hpp"
#include "python/integer_column.hpp"
#include "python/objects.hpp"
#include "python/searches.hpp"
#include "python/tables.hpp"

// The module gsst._codec: the library of include/gsst/ on Python's buffers, with the GIL released while it
// works. What users call is in gsst/*.py; arguments here are the numbers of gsst.h, 0 being the default.
namespace nb = nanobind;

namespace {

using gsst::python::Buffer;
using gsst::python::bytes_of;
using gsst::python::Input;
using gsst::python::new_bytes;
using gsst::python::shorten;
using gsst::python::value_or_raise;

nb::bytes compress(nb::handle data, std::uint32_t format, std::uint64_t block_bytes, std::uint32_t splits,
                   std::uint32_t level, std::uint32_t threads, std::uint32_t strip_codes,
                   std::uint32_t checksum) {
  const Input input(data);
  const auto plan = value_or_raise(
      gsst::CompressPlan::create(input.size(), {.format = static_cast<gsst::Format>(format),
                                                .block_bytes = block_bytes,
                                                .splits = splits,
                                                .level = level,
                                                .threads = threads,
                                                .strip_codes = strip_codes,
                                                .checksum = static_cast<gsst::Checksum>(checksum)}));
  nb::bytes output = new_bytes(plan.output_bytes());
  const std::span<std::byte> memory = bytes_of(output);
  const auto frame = [&] {
    const nb::gil_scoped_release released;
    return plan.execute(input.bytes(), memory);
  }();
  return shorten(std::move(output), value_or_raise(frame).size());
}

// Of gsst_frame_info, in its order, from compressed_bytes on.
using Info =
    std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t, std::uint32_t, std::uint32_t>;

Info as_tuple(const gsst::FrameInfo& info) {
  return {info.compressed_bytes, info.uncompressed_bytes,
          info.block_count,      info.block_bytes,
          info.splits,           info.format};
}

Info inspect(nb::handle data) {
  const Input frame(data);
  const auto info = [&] {
    const nb::gil_scoped_release released;
    return gsst::inspect(frame.bytes());
  }();
  return as_tuple(value_or_raise(info));
}

// offset, bytes and, where the caller has the output, output_offset.
using Place = std::tuple<std::uint64_t, std::uint64_t>;
using PlaceInOutput = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>;

// A plan with the buffer that it refers to.
class DecompressPlan {
public:
  DecompressPlan(nb::handle data, std::uint32_t format, std::uint32_t threads, bool verify)
      : frame_(data), plan_(make_plan(format, threads, verify)) {}

  Info info() const { return as_tuple(plan_.info()); }

  // Of gsst_block_info: offsets and sizes in its order, then the layout.
  std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t, std::uint32_t> block(
      std::uint64_t number) const {
    const gsst::BlockInfo info = value_or_raise(plan_.block(number));
    return {info.compressed_offset, info.compressed_bytes, info.uncompressed_offset, info.uncompressed_bytes,
            info.layout};
  }

  nb::bytes decompress() const {
    nb::bytes output = new_bytes(plan_.output_bytes());
    execute(bytes_of(output));
    return output;
  }

  // An object that gives its memory through DLPack, and goes on to own it.
  nb::object decompress_to_tensor() const {
    auto memory = std::make_unique_for_overwrite<std::uint8_t[]>(plan_.output_bytes());
    execute(std::as_writable_bytes(std::span(memory.get(), plan_.output_bytes())));
    const std::size_t shape[] = {plan_.output_bytes()};
    std::uint8_t* const bytes = memory.get();
    const nb::capsule owner(memory.release(),
                            [](void* owned) noexcept { delete[] static_cast<std::uint8_t*>(owned); });
    return nb::cast(
        nb::ndarray<nb::array_api, std::uint8_t, nb::ndim<1>, nb::device::cpu>(bytes, 1, shape, owner));
  }

  void decompress_into(nb::handle output) const { execute(Buffer(output, PyBUF_WRITABLE).writable()); }

  // A bytes object for each place.
  nb::typed<nb::list, nb::bytes> decompress_ranges(const std::vector<Place>& places) const {
    std::vector<gsst::Range> ranges;
    ranges.reserve(places.size());
    std::uint64_t end = 0;
    for (const auto& [offset, bytes] : places) {
      // What the library refuses in any case would be too much memory here.
      const std::uint64_t output_offset = bytes <= plan_.output_bytes() ? end : 0;
      ranges.push_back({.offset = offset, .bytes = bytes, .output_offset = output_offset});
      if (bytes <= plan_.output_bytes()) end += bytes;
    }
    const auto memory = std::make_unique_for_overwrite<std::byte[]>(end);
    execute_ranges(ranges, {memory.get(), end});
    nb::list outputs;
    for (const gsst::Range& range : ranges) {
      outputs.append(nb::bytes(memory.get() + range.output_offset, range.bytes));
    }
    return nb::typed<nb::list, nb::bytes>(outputs);
  }

  std::tuple<std::uint64_t, std::uint64_t, std::uint64_t> decompress_ranges_into(
      const std::vector<PlaceInOutput>& places, nb::handle output) const {
    std::vector<gsst::Range> ranges;
    ranges.reserve(places.size());
    for (const auto& [offset, bytes, output_offset] : places) {
      ranges.push_back({.offset = offset, .bytes = bytes, .output_offset = output_offset});
    }
    const Buffer memory(output, PyBUF_WRITABLE);
    const gsst::ReadInfo info = execute_ranges(ranges, memory.writable());
    return {info.blocks, info.parts, info.bytes};
  }

private:
  gsst::DecompressPlan make_plan(std::uint32_t format, std::uint32_t threads, bool verify) const {
    auto plan = [&] {
      const nb::gil_scoped_release released;
      return gsst::DecompressPlan::create(
          frame_.bytes(),
          {.format = static_cast<gsst::Format>(format), .threads = threads, .skip_checksums = !verify});
    }();
    return value_or_raise(std::move(plan));
  }

  void execute(std::span<std::byte> output) const {
    const auto written = [&] {
      const nb::gil_scoped_release released;
      return plan_.execute(output);
    }();
    value_or_raise(written);
  }

  gsst::ReadInfo execute_ranges(std::span<const gsst::Range> ranges, std::span<std::byte> output) const {
    const auto info = [&] {
      const nb::gil_scoped_release released;
      return plan_.execute_ranges(ranges, output);
    }();
    return value_or_raise(info);
  }

  Input frame_;
  gsst::DecompressPlan plan_;
};

}  // namespace

NB_MODULE(_codec, module) {
  module.attr("version") = gsst_version();
  module.attr("all_threads") = gsst::all_threads;
  module.def("compress", &compress, nb::arg("data"), nb::arg("format"), nb::arg("block_bytes"),
             nb::arg("splits"), nb::arg("level"), nb::arg("threads"), nb::arg("strip_codes"),
             nb::arg("checksum"));
  module.def("inspect", &inspect, nb::arg("data"));
  nb::class_<DecompressPlan>(module, "DecompressPlan")
      .def(nb::init<nb::handle, std::uint32_t, std::uint32_t, bool>(), nb::arg("data"), nb::arg("format"),
           nb::arg("threads"), nb::arg("verify"))
      .def("info", &DecompressPlan::info)
      .def("block", &DecompressPlan::block, nb::arg("number"))
      .def("decompress", &DecompressPlan::decompress)
      .def("decompress_to_tensor", &DecompressPlan::decompress_to_tensor)
      .def("decompress_into", &DecompressPlan::decompress_into, nb::arg("output"))
      .def("decompress_ranges", &DecompressPlan::decompress_ranges, nb::arg("places"))
      .def("decompress_ranges_into", &DecompressPlan::decompress_ranges_into, nb::arg("places"),
           nb::arg("output"));
  gsst::python::add_column_input(module);
  gsst::python::add_columns(module);
  gsst::python::add_integer_columns(module);
  gsst::python::add_searches(module);
  gsst::python::add_tables(module);
}
