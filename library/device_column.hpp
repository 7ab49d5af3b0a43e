#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "common/format/gsst/string_column.hpp"
#include "gsst/column.h"
#include "library/arrow_strings.hpp"
#include "library/gpu_compress_plan.hpp"
#include "library/gpu_decompress_plan.hpp"

/// Columns whose strings are in the memory of a device: an Arrow array there to a column and back.
namespace gsst::library {

/// A device with a stream: its memory, and the plans that run there. Errors of the device are exceptions of
/// the implementation.
class ColumnDevice {
public:
  /// Frees what allocate() gave.
  using Free = void (*)(void* memory) noexcept;

  ColumnDevice() = default;
  ColumnDevice(const ColumnDevice&) = delete;
  ColumnDevice& operator=(const ColumnDevice&) = delete;
  virtual ~ColumnDevice() = default;

  /// As Arrow names it.
  virtual ArrowDeviceType type() const = 0;
  virtual std::int64_t id() const = 0;
  /// Throws ApiError unless the device can use `array`'s memory.
  virtual void check_memory_of(const ArrowDeviceArray& array) const = 0;

  /// `bytes` bytes, aligned to 256.
  virtual std::uint8_t* allocate(std::size_t bytes) = 0;
  virtual Free free_function() const = 0;

  // What follows is work on the stream, in its order.

  /// `event`: an ArrowDeviceArray's, not null.
  virtual void wait_for_event(void* event) = 0;
  virtual void copy_from_host(std::uint8_t* to, std::span<const std::uint8_t> from) = 0;
  virtual void copy_to_host(std::span<std::uint8_t> to, const std::uint8_t* from) = 0;
  virtual void copy(std::uint8_t* to, std::span<const std::uint8_t> from) = 0;
  virtual GpuCompressPlan plan_compression(std::uint64_t input_bytes, const GpuCompressOptions& options) = 0;
  virtual void compress(const GpuCompressPlan& plan, const GpuCompressMemory& memory) = 0;
  virtual GpuDecompressPlan plan_decompression(std::span<const std::uint8_t> frame,
                                               const GpuDecompressOptions& options) const = 0;
  virtual void decompress(const GpuDecompressPlan& plan, const GpuDecompressMemory& memory) = 0;
  /// Behind it all work is done, and host memory of copies can be used.
  virtual void wait() = 0;
};

/// Memory of a device that is freed with this object.
class ColumnMemory {
public:
  /// Of no memory if `bytes` is 0.
  ColumnMemory(ColumnDevice& device, std::size_t bytes)
      : memory_(bytes == 0 ? nullptr : device.allocate(bytes), device.free_function()) {}

  std::uint8_t* get() const { return memory_.get(); }

private:
  std::unique_ptr<std::uint8_t, ColumnDevice::Free> memory_;
};

/// Compresses an array in the memory of a device to a column in host memory. Refers to the array's buffers.
class DeviceColumnCompressPlan {
public:
  /// Waits for the array's event, copies its offsets and nulls to the host and waits for the stream. Throws
  /// std::invalid_argument as ColumnCompressPlan does, and ApiError for memory of another device.
  DeviceColumnCompressPlan(const ArrowSchema& schema, const ArrowDeviceArray& array,
                           const GpuCompressOptions& options, ColumnDevice& device);

  /// Most bytes of the column.
  std::uint64_t output_bytes() const;

  /// Compresses to the start of `output`, of output_bytes() bytes at least, and returns the bytes written.
  /// Allocates memory of the device while it runs, and waits for the stream.
  std::size_t execute(std::span<std::uint8_t> output, ColumnDevice& device) const;

private:
  // An array in host memory but for the bytes of its strings.
  struct HostArray {
    HostArray(const ArrowSchema& schema, const ArrowDeviceArray& array, ColumnDevice& device);
    // `strings` refers to what the vectors hold, and goes on to do so where they move.
    HostArray(HostArray&&) = default;
    HostArray& operator=(HostArray&&) = default;
    HostArray(const HostArray&) = delete;
    HostArray& operator=(const HostArray&) = delete;
    ~HostArray() = default;

    std::vector<std::uint8_t> validity;
    std::vector<std::uint8_t> offsets;
    ArrowStrings strings;

  private:
    ArrowStrings copy_strings(const ArrowSchema& schema, const ArrowDeviceArray& array, ColumnDevice& device);
  };

  const std::uint8_t* gather_strings(std::uint8_t* memory, ColumnDevice& device) const;

  HostArray array_;
  format::StringColumnWriter writer_;
  GpuCompressPlan frame_plan_;
  std::uint64_t end_bytes_;
};

/// Decompresses all strings of `column`, which is in host memory, to a new array in the memory of `device`.
/// Waits for the stream. Throws WrongFormat and format::FormatError, and the device's exceptions.
void decompress_to_device(std::span<const std::uint8_t> column, const GpuDecompressOptions& options,
                          ColumnDevice& device, ArrowSchema& schema, ArrowDeviceArray& array);

}  // namespace gsst::library
