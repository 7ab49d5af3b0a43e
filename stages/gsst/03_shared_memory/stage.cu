#include "common/stage/compile_time_choice.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/registry.hpp"
#include "stages/gsst/shared/splits_launch.hpp"
// After launch.hpp, which gives the kernels CUDA's words where the compiler has none.
#include "stages/gsst/03_shared_memory/kernel_1_shared_header.cuh"
#include "stages/gsst/03_shared_memory/kernel_2_staged_input.cuh"
#include "stages/gsst/03_shared_memory/kernel_3_staged_output.cuh"

namespace {

constexpr std::int64_t last_step = 3;

gsst::stage::Description make_description() {
  gsst::stage::Description description = {
      .id = "gsst/03_shared_memory",
      .base = "gsst/02_splits",
      .title = "Header and table in shared memory, input and output staged there",
      .section = "4.3.1",
      .format = gsst::format::BlockFormat::splits,
      .operation = gsst::stage::Operation::decode,
      .minimum_compute_capability = 80,
      .parameters = gsst::stage::splits_launch_parameters(),
  };
  description.parameters.push_back(
      {.name = "step",
       .description = "step of the ladder, each a kernel; step 1 stages nothing, step 2 input only",
       .values = {1, 2, 3},
       .default_value = last_step,
       .compile_time = true});
  description.parameters.push_back({.name = "input_buffer_bytes",
                                    .description = "bytes of input that a thread stages",
                                    .values = {16, 32, 64},
                                    .default_value = 16,
                                    .compile_time = true});
  description.parameters.push_back({.name = "output_buffer_bytes",
                                    .description = "bytes of output that a thread stages",
                                    .values = {16, 32, 64, 128},
                                    .default_value = 64,
                                    .compile_time = true});
  return description;
}

const gsst::stage::Description description = make_description();

// `staged_bytes`: of shared memory, for each thread.
template <typename Kernel>
void launch_step(const gsst::stage::DecodeRequest& request, unsigned staged_bytes, Kernel kernel) {
  const unsigned threads = wanted_threads_per_block(description, request);
  gsst::stage::launch({.thread_blocks = wanted_thread_blocks(description, request),
                       .threads_per_block = threads,
                       .shared_bytes = wanted_shared_bytes(description, request,
                                                           sizeof(SharedHeader) + threads * staged_bytes),
                       .stream = request.stream},
                      kernel, request.frame, request.output, request.status);
}

void decode(const gsst::stage::DecodeRequest& request) {
  const auto value = [&](const char* name) { return parameter_value(description, request.parameters, name); };
  gsst::stage::clear(request.status, request.frame.block_count * sizeof(std::uint32_t), request.stream);
  const std::int64_t step = value("step");
  if (step == 1) {
    launch_step(request, 0, shared_header::decode_splits);
    return;
  }
  gsst::stage::choose<16, 32, 64>(value("input_buffer_bytes"), [&](auto input_bytes) {
    if (step == 2) {
      launch_step(request, input_bytes(), staged_input::decode_splits<input_bytes()>);
      return;
    }
    gsst::stage::choose<16, 32, 64, 128>(value("output_buffer_bytes"), [&](auto output_bytes) {
      launch_step(request, input_bytes() + output_bytes(), decode_splits<input_bytes(), output_bytes()>);
    });
  });
}

const gsst::stage::Registration registration(gsst::stage::this_executor, description,
                                             decode_plans(description, decode));

}  // namespace
