#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "common/encode_stage/encode_stage.hpp"

namespace gsst::experiments {

/// The memory of an encoding besides its input. A `Buffer(bytes)` allocates when it is made and frees when it
/// ends, and its data() is aligned to stage::encode_alignment.
template <typename Buffer>
class EncodingMemory {
public:
  EncodingMemory(const stage::Encoder& encoder, const stage::EncodeSettings& settings)
      : EncodingMemory(encoder.space(settings), settings) {}

  /// An encoding of `input` in this memory, on the default stream. It must not outlive the memory.
  stage::EncodeRequest request(const stage::EncodeSettings& settings, const std::uint8_t* input) {
    return {.settings = settings,
            .input = input,
            .output = output_.data(),
            .scratch = scratch_.data(),
            .status = reinterpret_cast<std::uint32_t*>(status_.data()),
            .frame_bytes = reinterpret_cast<std::uint64_t*>(frame_bytes_.data()),
            .stream = nullptr};
  }

  Buffer& output() { return output_; }
  const Buffer& frame_bytes() const { return frame_bytes_; }

private:
  EncodingMemory(const stage::EncodeSpace& space, const stage::EncodeSettings& settings)
      : output_(space.output_bytes),
        scratch_(space.scratch_bytes),
        status_(std::size_t{block_count(settings)} * sizeof(std::uint32_t)),
        frame_bytes_(sizeof(std::uint64_t)) {}

  Buffer output_;
  Buffer scratch_;
  Buffer status_;
  Buffer frame_bytes_;
};

/// Trains the tables, encodes, and calls wait(), which waits for the device.
template <typename Wait>
void encode_end_to_end(const stage::Encoder& encoder, const stage::EncodeRequest& request, const Wait& wait) {
  encoder.train(request);
  for (const stage::EncodePhase& phase : encoder.phases) phase.enqueue(request);
  wait();
}

/// Seconds of the host's clock that `work` takes.
template <typename Work>
double host_seconds(const Work& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Seconds of encode_end_to_end() in memory that is there.
template <typename Wait>
double seconds_without_allocations(const stage::Encoder& encoder, const stage::EncodeRequest& request,
                                   const Wait& wait) {
  return host_seconds([&] { encode_end_to_end(encoder, request, wait); });
}

/// The same with allocating all memory that the encoding of `input` needs besides, and freeing it.
template <typename Buffer, typename Wait>
double seconds_with_allocations(const stage::Encoder& encoder, const stage::EncodeSettings& settings,
                                const std::uint8_t* input, const Wait& wait) {
  return host_seconds([&] {
    EncodingMemory<Buffer> memory(encoder, settings);
    encode_end_to_end(encoder, memory.request(settings, input), wait);
  });
}

}  // namespace gsst::experiments
