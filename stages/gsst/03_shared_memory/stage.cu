#include "common/stage/compile_time_choice.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/registry.hpp"
#include "common/stage/splits_launch.hpp"
// After launch.hpp, which gives the kernel CUDA's words where the compiler has none.
#include "stages/gsst/03_shared_memory/kernel.cuh"

namespace {

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

template <int InputBytes, int OutputBytes>
void launch_with(const gsst::stage::DecodeRequest& request) {
  const unsigned threads = wanted_threads_per_block(description, request);
  gsst::stage::launch({.thread_blocks = wanted_thread_blocks(description, request),
                       .threads_per_block = threads,
                       .shared_bytes = wanted_shared_bytes(
                           description, request, sizeof(SharedHeader) + threads * (InputBytes + OutputBytes)),
                       .stream = request.stream},
                      decode_splits<InputBytes, OutputBytes>, request.frame, request.output, request.status);
}

void decode(const gsst::stage::DecodeRequest& request) {
  gsst::stage::clear(request.status, request.frame.block_count * sizeof(std::uint32_t), request.stream);
  gsst::stage::choose<16, 32, 64>(
      parameter_value(description, request.parameters, "input_buffer_bytes"), [&](auto input_bytes) {
        gsst::stage::choose<16, 32, 64, 128>(
            parameter_value(description, request.parameters, "output_buffer_bytes"),
            [&](auto output_bytes) { launch_with<input_bytes(), output_bytes()>(request); });
      });
}

const gsst::stage::Registration registration(gsst::stage::this_executor, description, decode);

}  // namespace
