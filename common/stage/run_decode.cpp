#include "common/stage/run_decode.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>

#include "common/format/block.hpp"
#include "common/stage/decode_plan.hpp"
#if GSST_WITH_CUDA
#include <cuda_runtime_api.h>

#include "common/cuda/device_buffer.hpp"
#include "common/cuda/error.hpp"
#endif

namespace gsst::stage {
namespace {

// What a stage finds in memory that it has not written.
constexpr std::uint64_t noise = 0xcdcdcdcdcdcdcdcd;

std::size_t words_of(std::size_t bytes) {
  return (bytes + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t);
}

DecodeResult allocate_result(const DecodePlan& plan, const DecodeBuffers& buffers) {
  return {.guarded_output =
              std::vector<std::uint8_t>(plan.uncompressed_bytes() + 2 * buffers.guard_bytes, buffers.poison),
          .guard_bytes = buffers.guard_bytes,
          .statuses = std::vector<std::uint32_t>(plan.block_count(), 0xcdcdcdcd)};
}

// The frame behind `offset` bytes: exactly as long as it is, so that a sanitizer sees a read behind its end.
std::vector<std::uint8_t> shifted(std::span<const std::uint8_t> frame, std::size_t offset) {
  std::vector<std::uint8_t> bytes(offset + frame.size());
  std::copy(frame.begin(), frame.end(), bytes.begin() + static_cast<std::ptrdiff_t>(offset));
  return bytes;
}

DecodeResult run_on_simt(const RegisteredStage& stage, const DecodePlan& plan,
                         std::span<const std::uint8_t> frame, const ParameterValues& parameters,
                         const DecodeBuffers& buffers) {
  DecodeResult result = allocate_result(plan, buffers);
  const std::vector<std::uint8_t> frame_bytes = shifted(frame, buffers.frame_offset);
  const FrameOnDevice frame_there = plan.frame_at(frame_bytes.data() + buffers.frame_offset);
  std::vector<std::uint64_t> scratch(words_of(scratch_bytes(stage.description, frame_there)), noise);
  stage.decode.at(Executor::simt)({.frame = frame_there,
                                   .output = result.guarded_output.data() + buffers.guard_bytes,
                                   .status = result.statuses.data(),
                                   .scratch = scratch.data(),
                                   .parameters = parameters,
                                   .stream = nullptr});
  return result;
}

#if GSST_WITH_CUDA
DecodeResult run_on_gpu(const RegisteredStage& stage, const DecodePlan& plan,
                        std::span<const std::uint8_t> frame, const ParameterValues& parameters,
                        const DecodeBuffers& buffers) {
  DecodeResult result = allocate_result(plan, buffers);
  const cuda::DeviceBuffer frame_bytes(shifted(frame, buffers.frame_offset));
  cuda::DeviceBuffer output(result.guarded_output.size());
  output.fill(buffers.poison);
  cuda::DeviceBuffer statuses(result.statuses.size() * sizeof(std::uint32_t));
  statuses.fill(0xcd);
  const FrameOnDevice frame_there = plan.frame_at(frame_bytes.data() + buffers.frame_offset);
  cuda::DeviceBuffer scratch(scratch_bytes(stage.description, frame_there));
  scratch.fill(0xcd);
  stage.decode.at(Executor::gpu)({.frame = frame_there,
                                  .output = output.data() + buffers.guard_bytes,
                                  .status = reinterpret_cast<std::uint32_t*>(statuses.data()),
                                  .scratch = scratch.data(),
                                  .parameters = parameters,
                                  .stream = nullptr});
  GSST_CUDA_CHECK(cudaDeviceSynchronize());
  result.guarded_output = output.to_host();
  const std::vector<std::uint8_t> status_bytes = statuses.to_host();
  std::memcpy(result.statuses.data(), status_bytes.data(), status_bytes.size());
  return result;
}
#endif

}  // namespace

bool is_available(Executor executor) {
  if (executor == Executor::simt) return true;
#if GSST_WITH_CUDA
  int devices = 0;
  const bool found = cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0;
  cudaGetLastError();
  return found;
#else
  return false;
#endif
}

DecodeResult run_decode(const RegisteredStage& stage, Executor executor, std::span<const std::uint8_t> frame,
                        const ParameterValues& parameters, const DecodeBuffers& buffers) {
  const Description& description = stage.description;
  check_parameters(description, parameters);
  const auto decode = stage.decode.find(executor);
  if (decode == stage.decode.end() || !is_available(executor)) {
    throw std::invalid_argument("stage " + description.id + ": this program cannot run it on " +
                                (executor == Executor::gpu ? "a GPU here" : "the CPU"));
  }
  const DecodePlan plan(frame);
  if (plan.format() != description.format) {
    throw std::invalid_argument("stage " + description.id + " decodes format " +
                                std::string(format::block_format_name(description.format)) +
                                ", the frame has " + std::string(format::block_format_name(plan.format())));
  }
  // A grid of no blocks is an error in CUDA.
  if (plan.block_count() == 0) return allocate_result(plan, buffers);
#if GSST_WITH_CUDA
  if (executor == Executor::gpu) return run_on_gpu(stage, plan, frame, parameters, buffers);
#endif
  return run_on_simt(stage, plan, frame, parameters, buffers);
}

}  // namespace gsst::stage
