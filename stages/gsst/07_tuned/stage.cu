#include "common/stage/compile_time_choice.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/registry.hpp"
#include "stages/gsst/shared/splits_launch.hpp"
// After launch.hpp, which gives the kernel CUDA's words where the compiler has none.
#include "stages/gsst/07_tuned/kernel.cuh"

namespace {

gsst::stage::Description make_description() {
  gsst::stage::Description description = {
      .id = "gsst/07_tuned",
      .base = "gsst/04_alignment",
      .title = "Parameters from a sweep",
      .section = "5.3-5.4",
      .format = gsst::format::BlockFormat::splits,
      .operation = gsst::stage::Operation::decode,
      .minimum_compute_capability = 80,
      .parameters = gsst::stage::splits_launch_parameters(),
  };
  description.parameters.push_back({.name = "alignment",
                                    .description = "bytes of an aligned transfer",
                                    .values = {16, 32},
                                    .default_value = 32,
                                    .compile_time = true});
  description.parameters.push_back({.name = "input_transfers",
                                    .description = "aligned transfers that fill a thread's input buffer",
                                    .values = {1, 2},
                                    .default_value = 1,
                                    .compile_time = true});
  description.parameters.push_back({.name = "output_transfers",
                                    .description = "aligned transfers that empty a thread's output buffer",
                                    .values = {2, 4},
                                    .default_value = 4,
                                    .compile_time = true});
  description.parameters.push_back({.name = "registers",
                                    .description = "most registers that a thread uses",
                                    .values = {40, 48, 56, 64},
                                    .default_value = 56,
                                    .compile_time = true});
  return description;
}

const gsst::stage::Description description = make_description();

template <int Alignment, int InputTransfers, int OutputTransfers>
constexpr std::size_t shared_bytes(unsigned threads) {
  return buffers_offset<Alignment> + std::size_t{threads} * Alignment * (InputTransfers + OutputTransfers);
}

// Calls function with the values of the compile-time parameters.
template <typename Function>
void with_parameters(const gsst::stage::ParameterValues& parameters, Function&& function) {
  const auto value = [&](const char* name) { return parameter_value(description, parameters, name); };
  gsst::stage::choose<16, 32>(value("alignment"), [&](auto alignment) {
    gsst::stage::choose<1, 2>(value("input_transfers"), [&](auto input_transfers) {
      gsst::stage::choose<2, 4>(value("output_transfers"), [&](auto output_transfers) {
        gsst::stage::choose<40, 48, 56, 64>(value("registers"), [&](auto registers) {
          function.template operator()<alignment(), input_transfers(), output_transfers(), registers()>();
        });
      });
    });
  });
}

void decode(const gsst::stage::DecodeRequest& request) {
  gsst::stage::clear(request.status, request.frame.block_count * sizeof(std::uint32_t), request.stream);
  const unsigned threads = wanted_threads_per_block(description, request);
  with_parameters(
      request.parameters, [&]<int Alignment, int InputTransfers, int OutputTransfers, int Registers>() {
        gsst::stage::launch(
            {.thread_blocks = wanted_thread_blocks(description, request),
             .threads_per_block = threads,
             .shared_bytes = wanted_shared_bytes(
                 description, request, shared_bytes<Alignment, InputTransfers, OutputTransfers>(threads)),
             .stream = request.stream},
            decode_splits<Alignment, InputTransfers, OutputTransfers, Registers>, request.frame,
            request.output, request.status);
      });
}

// As many blocks as run at the same time, each with as many splits as the sweep found best: none waits for a
// free place, and all end together.
gsst::stage::BlocksAndSplits recommend(const gsst::stage::ParameterValues& parameters) {
  constexpr std::uint32_t splits = 256;
  std::uint32_t blocks = 0;
  with_parameters(parameters, [&]<int Alignment, int InputTransfers, int OutputTransfers, int Registers>() {
    blocks = gsst::stage::resident_thread_blocks(
        splits, shared_bytes<Alignment, InputTransfers, OutputTransfers>(splits),
        decode_splits<Alignment, InputTransfers, OutputTransfers, Registers>);
  });
  return {.blocks = blocks, .splits = splits};
}

const gsst::stage::Registration registration(gsst::stage::this_executor, description,
                                             decode_plans(description, decode, nullptr, recommend));

}  // namespace
