#include "stages/tile_integer/parquet/run_column.hpp"

#include <array>
#include <memory>

#include "common/stage/run_memory.hpp"
#include "stages/tile_integer/12_parquet_delta/parquet_plan.hpp"

namespace gsst::tile_integer {
namespace {

// What the kernels find in memory that they have not written.
constexpr std::uint8_t noise = 0xcd;

template <typename Buffer>
DecodedColumn run_in(const stage::Plan& plan, stage::Executor executor, std::span<const std::uint8_t> file,
                     const stage::DecodeBuffers& buffers) {
  using stage::Given;
  const auto parts = plan.parts();
  const auto guarded = [&](std::uint64_t bytes) {
    Buffer buffer(static_cast<std::size_t>(bytes) + 2 * buffers.guard_bytes);
    buffer.fill(buffers.poison);
    return buffer;
  };
  const auto noisy = [&](std::uint64_t bytes) {
    Buffer buffer(static_cast<std::size_t>(bytes));
    buffer.fill(noise);
    return buffer;
  };
  Buffer input(stage::shifted(file, buffers.frame_offset));
  Buffer values = guarded(parts[1].bytes);
  Buffer levels = guarded(parts[2].bytes);
  Buffer streams = noisy(parts[3].bytes);
  Buffer scratch = noisy(parts[4].bytes);
  Buffer status = noisy(parts[5].bytes);
  const std::array given = {stage::to_read(input.data() + buffers.frame_offset, file.size()),
                            Given{.data = values.data() + buffers.guard_bytes, .bytes = parts[1].bytes},
                            Given{.data = levels.data() + buffers.guard_bytes, .bytes = parts[2].bytes},
                            Given{.data = streams.data(), .bytes = parts[3].bytes},
                            Given{.data = scratch.data(), .bytes = parts[4].bytes},
                            Given{.data = status.data(), .bytes = parts[5].bytes}};
  stage::check_given(parts, given);
  plan.prepare(given, nullptr);
  stage::enqueue_all(plan, given, nullptr);
  stage::wait_for(executor);
  const std::vector<std::uint8_t> words = status.to_host();
  return {.outcome = plan.check(std::as_bytes(std::span(words)), {}, 0),
          .guarded_values = values.to_host(),
          .guarded_levels = levels.to_host(),
          .guard_bytes = buffers.guard_bytes};
}

}  // namespace

DecodedColumn run_column(stage::Executor executor, std::span<const std::uint8_t> file,
                         const format::tile_integer::ParquetColumn& column,
                         const stage::DecodeBuffers& buffers) {
  const std::unique_ptr<stage::Plan> plan = ParquetDecodingOn::get(executor).make_plan(column, file.size());
#if GSST_WITH_CUDA
  if (executor == stage::Executor::gpu) return run_in<cuda::DeviceBuffer>(*plan, executor, file, buffers);
#endif
  return run_in<stage::HostBuffer>(*plan, executor, file, buffers);
}

}  // namespace gsst::tile_integer
