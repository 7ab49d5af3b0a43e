#include "python/gpu_columns.hpp"

#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "gsst/gpu_column.hpp"
#include "python/capsules.hpp"
#include "python/gpu_memory.hpp"
#include "python/objects.hpp"

namespace gsst::python {
namespace {

nb::bytes compress_column(nb::handle schema, nb::handle array, std::uint32_t format,
                          std::uint64_t block_bytes, std::uint32_t splits, std::uint32_t blocks_per_table,
                          std::uint32_t code_bits) {
  const auto* const arrow_schema = held_by<ArrowSchema>(schema, schema_capsule);
  const auto* const arrow_array = held_by<ArrowDeviceArray>(array, device_array_capsule);
  const gpu::CompressOptions options{.block_bytes = block_bytes,
                                     .splits = splits,
                                     .blocks_per_table = blocks_per_table,
                                     .format = static_cast<Format>(format),
                                     .code_bits = code_bits};
  if (arrow_array->device_type != ARROW_DEVICE_CUDA &&
      arrow_array->device_type != ARROW_DEVICE_CUDA_MANAGED) {
    raise(GSST_ERROR_WRONG_MEMORY, "the array is in memory of a device of Arrow's type " +
                                       std::to_string(arrow_array->device_type) + ", not of a GPU");
  }
  std::vector<std::byte> column;
  {
    const nb::gil_scoped_release released;
    const CurrentDevice device(static_cast<int>(arrow_array->device_id));
    column = value_or_throw(gpu::compress_column(*arrow_schema, *arrow_array, cudaStreamLegacy, options));
  }
  nb::bytes output = new_bytes(column.size());
  std::ranges::copy(column, bytes_of(output).begin());
  return output;
}

std::tuple<nb::object, nb::object> decompress_column(nb::handle data, bool verify, int device) {
  const Input column(data);
  gpu::OwnedDeviceArray made;
  {
    const nb::gil_scoped_release released;
    const CurrentDevice current(device);
    made =
        value_or_throw(gpu::decompress_column(column.bytes(), cudaStreamLegacy, {.skip_checksums = !verify}));
  }
  auto schema = std::make_unique<ArrowSchema>(std::exchange(made.schema(), {}));
  auto array = std::make_unique<ArrowDeviceArray>(std::exchange(made.array(), {}));
  nb::object of_array = make_capsule(std::move(array), device_array_capsule);
  nb::object of_schema = make_capsule(std::move(schema), schema_capsule);
  return {of_schema, of_array};
}

}  // namespace

void add_gpu_columns(nb::module_& module) {
  module.def("compress_column", &compress_column, nb::arg("schema"), nb::arg("array"), nb::arg("format"),
             nb::arg("block_bytes"), nb::arg("splits"), nb::arg("blocks_per_table"), nb::arg("code_bits"));
  module.def("decompress_column", &decompress_column, nb::arg("column"), nb::arg("verify"),
             nb::arg("device"));
}

}  // namespace gsst::python
