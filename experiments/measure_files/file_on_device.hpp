#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>

#include "common/stage/plan.hpp"

namespace gsst::experiments {

/// A file in the memory of a GPU, and all memory that its decoding needs.
class FileOnDevice {
public:
  FileOnDevice() = default;
  virtual ~FileOnDevice() = default;
  FileOnDevice(const FileOnDevice&) = delete;
  FileOnDevice& operator=(const FileOnDevice&) = delete;

  /// Enqueues the decoding; allocates nothing, waits for nothing, and may be captured. Throws CudaError.
  virtual void enqueue(stage::Stream stream) = 0;

  /// Waits for what was enqueued last, on the default stream or on one that has ended. Throws MismatchError,
  /// or format::FormatError, for a problem that the decoder reports.
  virtual void check() const = 0;

  /// What kernels read of the file, and what they decode to; in device memory, aligned to 16.
  virtual std::span<const std::uint8_t> input() const = 0;
  virtual std::span<std::uint8_t> output() = 0;

  /// Of the row: bytes of the whole file, and the parameters.
  virtual std::uint64_t file_bytes() const = 0;
  virtual nlohmann::ordered_json parameters() const = 0;
  /// Further keys of the row.
  virtual nlohmann::ordered_json keys() const = 0;
};

}  // namespace gsst::experiments
