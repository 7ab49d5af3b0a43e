#include "stages/codag/tests/query/streams.hpp"

#include "common/stage/kernels_on.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/shared_memory.hpp"
#include "stages/codag/shared/input_stream.cuh"
#include "stages/codag/shared/output_stream.cuh"
#include "stages/codag/shared/plain_bytes.cuh"
#include "stages/codag/shared/register_line_bytes.cuh"
#include "stages/codag/shared/shared_line_bytes.cuh"
#include "stages/codag/shared/word_bytes.cuh"

// Kernels that use the streams as decoders do.
namespace gsst::codag {
namespace {

// What the streams' constructors have in common.
template <typename Bytes>
__device__ inline Bytes bytes_at(const std::uint8_t* stream, std::uint32_t count, std::uint8_t* buffer) {
  return Bytes(stream, count, buffer);
}
template <>
__device__ inline PlainBytes bytes_at<PlainBytes>(const std::uint8_t* stream, std::uint32_t count,
                                                  std::uint8_t* /*buffer*/) {
  return PlainBytes(stream, count);
}

template <typename Bytes>
__global__ void fetch_numbers(const std::uint8_t* stream, std::uint32_t stream_bytes,
                              const std::uint8_t* widths, std::uint32_t count, std::uint64_t* numbers) {
  GSST_SHARED_MEMORY(buffer);
  InputStream input(bytes_at<Bytes>(stream, stream_bytes, buffer));
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t width = widths[i];
    std::uint64_t number = 0;
    if (width == end_of_byte) {
      input.end_byte();
      number = input.position();
    } else {
      input.peek_bits(width <= lanes_of_warp ? width / 2 : width);
      number = input.fetch_bits(width);
    }
    if (lane_number() == 0) numbers[i] = number;
  }
}

template <typename Bytes>
void launch_fetch(std::uint32_t buffer_bytes, const std::uint8_t* stream, std::uint32_t stream_bytes,
                  const std::uint8_t* widths, std::uint32_t count, std::uint64_t* numbers) {
  stage::launch({.thread_blocks = 1,
                 .threads_per_block = lanes_of_warp,
                 .shared_bytes = buffer_bytes,
                 .stream = nullptr},
                fetch_numbers<Bytes>, stream, stream_bytes, widths, count, numbers);
}

void fetch(BytesOf bytes, const std::uint8_t* stream, std::uint32_t stream_bytes, const std::uint8_t* widths,
           std::uint32_t count, std::uint64_t* numbers) {
  switch (bytes) {
    case BytesOf::plain:
      return launch_fetch<PlainBytes>(0, stream, stream_bytes, widths, count, numbers);
    case BytesOf::shared_lines:
      return launch_fetch<SharedLineBytes>(SharedLineBytes::buffer_bytes, stream, stream_bytes, widths, count,
                                           numbers);
    case BytesOf::register_lines:
      return launch_fetch<RegisterLineBytes>(0, stream, stream_bytes, widths, count, numbers);
  }
}

__global__ void write_bytes(const WrittenBytes* calls, std::uint32_t count, std::uint8_t* output,
                            std::uint32_t bytes) {
  OutputStream stream(WordBytes(output), bytes);
  for (std::uint32_t i = 0; i < count; ++i) {
    const WrittenBytes& call = calls[i];
    if (call.offset != 0) {
      stream.copy(call.offset, call.count);
    } else if (call.count == 1) {
      stream.write_value(call.first);
    } else {
      stream.write_run(call.first, call.count, call.delta);
    }
  }
}

void write(const WrittenBytes* calls, std::uint32_t count, std::uint8_t* output, std::uint32_t bytes) {
  stage::launch(
      {.thread_blocks = 1, .threads_per_block = lanes_of_warp, .shared_bytes = 0, .stream = nullptr},
      write_bytes, calls, count, output, bytes);
}

const stage::KernelsOn<Streams> kernels(stage::this_executor, {.fetch = fetch, .write = write});

}  // namespace
}  // namespace gsst::codag
