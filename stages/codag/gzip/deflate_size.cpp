#include "stages/codag/gzip/deflate_size.hpp"

#include <array>
#include <cstring>

#include "common/frame/index_entry.hpp"
#include "common/pipeline/buffer.hpp"
#include "common/pipeline/queue.hpp"

namespace gsst::codag::gzip {

DeflateSize size_of_deflate(stage::Executor executor, std::span<const std::uint8_t> stream,
                            std::uint32_t most_output_bytes) {
  using pipeline::Buffer;
  constexpr std::array<std::uint8_t, format::min_bytes_after_block> bytes_after_stream{};
  const Buffer input = Buffer::on_device(executor, stream.size() + bytes_after_stream.size());
  const Buffer result = Buffer::on_device(executor, sizeof(DeflateSize));
  const Buffer result_on_host = Buffer::pageable(sizeof(DeflateSize));
  // Last: it waits for its work before the memory goes.
  pipeline::Queue queue(executor);
  queue.copy(input.data(), stream);
  queue.copy(input.data() + stream.size(), bytes_after_stream);
  stage::KernelsOn<DeflateSizeKernels>::get(executor).enqueue(
      {.stream = input.data(),
       .stream_bytes = static_cast<std::uint32_t>(stream.size()),
       .most_output_bytes = most_output_bytes,
       .size = reinterpret_cast<DeflateSize*>(result.data())},
      queue.stream());
  queue.copy(result_on_host.data(), result.bytes());
  queue.wait();
  DeflateSize size{};
  std::memcpy(&size, result_on_host.data(), sizeof size);
  return size;
}

}  // namespace gsst::codag::gzip
