#include "common/stage/compile_time_choice.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/registry.hpp"
#include "stages/gsst/shared/splits_launch.hpp"
// After launch.hpp, which gives the kernel CUDA's words where the compiler has none.
#include "stages/gsst/06_async/kernel.cuh"

namespace {

gsst::stage::Description make_description() {
  gsst::stage::Description description = {
      .id = "gsst/06_async",
      .base = "gsst/05_coalesced",
      .title = "Asynchronous copies into the shared input buffer",
      .section = "4.3.3",
      .format = gsst::format::BlockFormat::coalesced,
      .operation = gsst::stage::Operation::decode,
      .minimum_compute_capability = 80,
      .parameters = gsst::stage::splits_launch_parameters(),
  };
  description.parameters.push_back({.name = "alignment",
                                    .description = "bytes of an aligned transfer",
                                    .values = {4, 16, 32},
                                    .default_value = 16,
                                    .compile_time = true});
  description.parameters.push_back(
      {.name = "input_transfers",
       .description = "size of the shared input buffer: aligned transfers for each thread",
       .values = {1, 2, 4, 8},
       .default_value = 1,
       .compile_time = true});
  description.parameters.push_back({.name = "output_transfers",
                                    .description = "aligned transfers that empty a thread's output buffer",
                                    .values = {2, 4},
                                    .default_value = 4,
                                    .compile_time = true});
  return description;
}

const gsst::stage::Description description = make_description();

template <int Alignment, int InputTransfers, int OutputTransfers>
void launch_with(const gsst::stage::DecodeRequest& request) {
  const unsigned threads = wanted_threads_per_block(description, request);
  constexpr unsigned bytes_per_thread = Alignment * (InputTransfers + OutputTransfers);
  gsst::stage::launch(
      {.thread_blocks = wanted_thread_blocks(description, request),
       .threads_per_block = threads,
       .shared_bytes = wanted_shared_bytes(
           description, request, buffers_offset<Alignment> + threads * bytes_per_thread + Alignment),
       .stream = request.stream},
      decode_coalesced<Alignment, InputTransfers, OutputTransfers>, request.frame, request.output,
      request.status);
}

void decode(const gsst::stage::DecodeRequest& request) {
  const auto value = [&](const char* name) { return parameter_value(description, request.parameters, name); };
  gsst::stage::clear(request.status, request.frame.block_count * sizeof(std::uint32_t), request.stream);
  gsst::stage::choose<4, 16, 32>(value("alignment"), [&](auto alignment) {
    gsst::stage::choose<1, 2, 4, 8>(value("input_transfers"), [&](auto input_transfers) {
      gsst::stage::choose<2, 4>(value("output_transfers"), [&](auto output_transfers) {
        launch_with<alignment(), input_transfers(), output_transfers()>(request);
      });
    });
  });
}

const gsst::stage::Registration registration(gsst::stage::this_executor, description,
                                             decode_plans(description, decode));

}  // namespace
