#include "common/stage/run_decode.hpp"

#include <array>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>

#include "common/format/formats.hpp"
#include "common/stage/frame_shape.hpp"
#include "common/stage/run_memory.hpp"

namespace gsst::stage {
namespace {

// What a stage finds in memory that it has not written.
constexpr std::uint8_t noise = 0xcd;

template <typename Buffer>
DecodeResult run_in(const Plan& plan, Executor executor, std::span<const std::uint8_t> frame,
                    const DecodeBuffers& buffers) {
  const std::uint64_t output_bytes = bytes_of(plan, Role::output);
  const std::uint64_t scratch_bytes = bytes_of(plan, Role::scratch);
  const std::uint64_t status_bytes = bytes_of(plan, Role::status);
  Buffer input(shifted(frame, buffers.frame_offset));
  Buffer output(output_bytes + 2 * buffers.guard_bytes);
  output.fill(buffers.poison);
  Buffer scratch(scratch_bytes);
  scratch.fill(noise);
  Buffer status(status_bytes);
  status.fill(noise);
  enqueue_all(plan,
              std::array{to_read(input.data() + buffers.frame_offset, frame.size()),
                         Given{.data = output.data() + buffers.guard_bytes, .bytes = output_bytes},
                         Given{.data = scratch.data(), .bytes = scratch_bytes},
                         Given{.data = status.data(), .bytes = status_bytes}},
              nullptr);
  wait_for(executor);
  DecodeResult result = {.guarded_output = output.to_host(),
                         .guard_bytes = buffers.guard_bytes,
                         .statuses = std::vector<std::uint32_t>(status_bytes / sizeof(std::uint32_t))};
  const std::vector<std::uint8_t> words = status.to_host();
  if (!words.empty()) std::memcpy(result.statuses.data(), words.data(), words.size());
  return result;
}

}  // namespace

bool is_available(Executor executor) {
  if (executor != Executor::gpu) return true;
#if GSST_WITH_CUDA
  int devices = 0;
  const bool found = cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0;
  cudaGetLastError();
  return found;
#else
  return false;
#endif
}

void check_runs_here(const RegisteredStage& stage, Executor executor) {
  if (is_registered_for(stage, executor) && is_available(executor)) return;
  throw std::invalid_argument("stage " + stage.description.id + ": this program cannot run it on executor " +
                              std::string(executor_name(executor)) + " here");
}

void check_decoder(const RegisteredStage& stage, Executor executor, format::BlockFormat block_format,
                   const ParameterValues& parameters) {
  const Description& description = stage.description;
  check_parameters(description, parameters);
  check_runs_here(stage, executor);
  if (description.format != block_format) {
    throw std::invalid_argument("stage " + description.id + " decodes format " +
                                std::string(format::block_format_name(description.format)) +
                                ", the frame has " + std::string(format::block_format_name(block_format)));
  }
}

DecodeResult run_decode(const RegisteredStage& stage, Executor executor, std::span<const std::uint8_t> frame,
                        const ParameterValues& parameters, const DecodeBuffers& buffers) {
  const DecodeSubject subject = {.frame = frame_shape(frame), .parameters = parameters};
  check_decoder(stage, executor, subject.frame.format, parameters);
  const std::unique_ptr<Plan> plan = stage.decode.at(executor).make(subject);
#if GSST_WITH_CUDA
  if (executor == Executor::gpu) return run_in<cuda::DeviceBuffer>(*plan, executor, frame, buffers);
#endif
  return run_in<HostBuffer>(*plan, executor, frame, buffers);
}

}  // namespace gsst::stage
