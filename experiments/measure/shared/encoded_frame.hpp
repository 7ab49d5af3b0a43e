#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "common/cuda/device_buffer.hpp"
#include "common/format/block_format.hpp"

namespace gsst::experiments {

/// Bytes of the frame that an encoder has left at the start of `output`, after the codec of
/// `format` has given back `text` from it. `frame_bytes` is device memory that holds their number, 8 bytes.
/// `name` is for messages. Waits. Throws MismatchError, CudaError.
std::uint64_t verified_frame_bytes(const std::string& name, format::BlockFormat format,
                                   const cuda::DeviceBuffer& output, const cuda::DeviceBuffer& frame_bytes,
                                   std::span<const std::uint8_t> text);

}  // namespace gsst::experiments
