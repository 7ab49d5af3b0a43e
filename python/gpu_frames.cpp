#include "python/gpu_frames.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "gsst/gpu.hpp"
#include "python/gpu_memory.hpp"
#include "python/objects.hpp"

namespace gsst::python {
namespace {

// A frame in device memory, which is longer than the frame.
struct DeviceFrame {
  DeviceMemory memory;
  std::size_t bytes = 0;
};

// The current device is that of `input`.
DeviceFrame compress_on_device(std::span<const std::byte> input, const gpu::CompressOptions& options) {
  const auto plan = value_or_throw(gpu::CompressPlan::create(input.size(), options));
  const gpu::CompressSizes sizes = plan.sizes();
  DeviceFrame frame{.memory = allocate_on_device(sizes.output_bytes)};
  const DeviceMemory scratch = allocate_on_device(sizes.scratch_bytes);
  std::uint64_t frame_bytes = 0;
  const DeviceMemory frame_bytes_on_device = allocate_on_device(sizeof frame_bytes);
  value_or_throw(plan.execute({.input = input,
                               .output = {frame.memory.get(), sizes.output_bytes},
                               .scratch = {scratch.get(), sizes.scratch_bytes},
                               .frame_bytes = reinterpret_cast<std::uint64_t*>(frame_bytes_on_device.get())},
                              cudaStreamLegacy));
  copy_and_wait(&frame_bytes, frame_bytes_on_device.get(), sizeof frame_bytes);
  frame.bytes = frame_bytes;
  return frame;
}

gpu::CompressOptions compress_options(std::uint32_t format, std::uint64_t block_bytes, std::uint32_t splits,
                                      std::uint32_t blocks_per_table) {
  return {.block_bytes = block_bytes,
          .splits = splits,
          .blocks_per_table = blocks_per_table,
          .format = static_cast<Format>(format)};
}

nb::bytes compress(nb::handle data, std::uint32_t format, std::uint64_t block_bytes, std::uint32_t splits,
                   std::uint32_t blocks_per_table) {
  const DeviceTensor input(data);
  std::optional<nb::gil_scoped_release> released(std::in_place);
  const CurrentDevice device(input.device());
  const DeviceFrame frame =
      compress_on_device(input.bytes(), compress_options(format, block_bytes, splits, blocks_per_table));
  released.reset();
  nb::bytes output = new_bytes(frame.bytes);
  const std::span<std::byte> memory = bytes_of(output);
  released.emplace();
  copy_and_wait(memory.data(), frame.memory.get(), frame.bytes);
  released.reset();
  return output;
}

nb::object compress_to_tensor(nb::handle data, std::uint32_t format, std::uint64_t block_bytes,
                              std::uint32_t splits, std::uint32_t blocks_per_table) {
  const DeviceTensor input(data);
  DeviceFrame exact;
  {
    const nb::gil_scoped_release released;
    const CurrentDevice device(input.device());
    const DeviceFrame frame =
        compress_on_device(input.bytes(), compress_options(format, block_bytes, splits, blocks_per_table));
    // The room for the longest frame is twice the input's.
    exact = {.memory = allocate_on_device(frame.bytes), .bytes = frame.bytes};
    copy_and_wait(exact.memory.get(), frame.memory.get(), frame.bytes);
  }
  return make_tensor(std::move(exact.memory), exact.bytes, input.device());
}

// `frame` is on the host, `on_device` a copy of it in memory of the current device.
DeviceFrame decompress_on_device(std::span<const std::byte> frame, std::span<const std::byte> on_device,
                                 std::uint32_t format, bool verify) {
  const auto plan = value_or_throw(
      gpu::DecompressPlan::create(frame, {.format = static_cast<Format>(format), .skip_checksums = !verify}));
  const gpu::DecompressSizes sizes = plan.sizes();
  DeviceFrame output{.memory = allocate_on_device(sizes.output_bytes), .bytes = sizes.output_bytes};
  const DeviceMemory scratch = allocate_on_device(sizes.scratch_bytes);
  std::vector<std::uint32_t> status(sizes.status_count);
  const std::size_t status_bytes = status.size() * sizeof(std::uint32_t);
  const DeviceMemory status_on_device = allocate_on_device(status_bytes);
  value_or_throw(
      plan.execute({.frame = on_device,
                    .output = {output.memory.get(), sizes.output_bytes},
                    .scratch = {scratch.get(), sizes.scratch_bytes},
                    .status = {reinterpret_cast<std::uint32_t*>(status_on_device.get()), sizes.status_count}},
                   cudaStreamLegacy));
  copy_and_wait(status.data(), status_on_device.get(), status_bytes);
  value_or_throw(gpu::check_status(status));
  return output;
}

nb::object decompress_to_tensor(nb::handle data, std::uint32_t format, bool verify, int device) {
  std::optional<DeviceTensor> tensor;
  std::optional<Input> input;
  if (DeviceTensor::is_one(data)) {
    tensor.emplace(data);
    device = tensor->device();
  } else {
    input.emplace(data);
  }
  DeviceFrame output;
  {
    const nb::gil_scoped_release released;
    const CurrentDevice current(device);
    if (tensor) {
      // Plans are made on the host.
      std::vector<std::byte> frame(tensor->bytes().size());
      copy_and_wait(frame.data(), tensor->bytes().data(), frame.size());
      output = decompress_on_device(frame, tensor->bytes(), format, verify);
    } else {
      const DeviceMemory frame = allocate_on_device(input->size());
      copy_and_wait(frame.get(), input->bytes().data(), input->size());
      output = decompress_on_device(input->bytes(), {frame.get(), input->size()}, format, verify);
    }
  }
  return make_tensor(std::move(output.memory), output.bytes, device);
}

}  // namespace

void add_gpu_frames(nb::module_& module) {
  module.def("device_count", &device_count);
  module.def("compress", &compress, nb::arg("data"), nb::arg("format"), nb::arg("block_bytes"),
             nb::arg("splits"), nb::arg("blocks_per_table"));
  module.def("compress_to_tensor", &compress_to_tensor, nb::arg("data"), nb::arg("format"),
             nb::arg("block_bytes"), nb::arg("splits"), nb::arg("blocks_per_table"));
  module.def("decompress_to_tensor", &decompress_to_tensor, nb::arg("data"), nb::arg("format"),
             nb::arg("verify"), nb::arg("device"));
}

}  // namespace gsst::python
