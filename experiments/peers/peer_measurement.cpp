#include "experiments/peers/peer_measurement.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "common/cuda/error.hpp"
#include "experiments/measure/shared/device_check.hpp"
#include "experiments/measure/shared/device_description.hpp"
#include "experiments/measure/shared/device_memory.hpp"
#include "experiments/measure/shared/device_monitor.hpp"
#include "experiments/measure/shared/error.hpp"
#include "experiments/measure/shared/event_timer.hpp"
#include "experiments/measure/shared/streaming_limit.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;

constexpr unsigned limit_repetitions = 5;

// A stream that is destroyed with the object.
class Stream {
public:
  Stream() { GSST_CUDA_CHECK(cudaStreamCreate(&stream_)); }
  // A destructor must not throw.
  ~Stream() { cudaStreamDestroy(stream_); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  cudaStream_t get() const { return stream_; }

private:
  cudaStream_t stream_ = nullptr;
};

void verify(Decompressor& decompressor, const cuda::DeviceBuffer& expected, cuda::DeviceBuffer& output) {
  poison_on_device(output.data(), expected.data(), expected.size());
  decompressor.enqueue();
  GSST_CUDA_CHECK(cudaDeviceSynchronize());
  decompressor.check();
  const std::uint64_t differences = count_differences(output.data(), expected.data(), expected.size());
  if (differences != 0) {
    throw MismatchError(std::to_string(differences) + " decompressed bytes differ from the text");
  }
}

// What the compressor has written, after the codec has given back the text from it.
CompressedText verify_compression(const PeerCodec& codec, Compressor& compressor,
                                  const cuda::DeviceBuffer& expected, cudaStream_t stream) {
  const std::span<std::uint8_t> room = compressor.output();
  GSST_CUDA_CHECK(cudaMemset(room.data(), 0xb7, room.size()));
  GSST_CUDA_CHECK(cudaDeviceSynchronize());
  compressor.enqueue();
  GSST_CUDA_CHECK(cudaStreamSynchronize(stream));
  compressor.check();
  CompressedText compressed = compressor.compressed();
  cuda::DeviceBuffer output(expected.size());
  verify(*codec.make_decompressor(compressed, {output.data(), output.size()}, stream), expected, output);
  return compressed;
}

// `output_bytes` of what was allocated meanwhile are the output's.
Json memory_to_json(const PeerWork& work, const DeviceMemoryUse& use, std::size_t output_bytes) {
  return {{"allocated_bytes", work.allocated_bytes()},
          {"pool_bytes", use.pool_bytes},
          {"beyond_input_and_output_bytes", work.allocated_bytes() + use.pool_bytes},
          {"free_memory_drop_bytes",
           use.free_memory_drop_bytes - std::min(use.free_memory_drop_bytes, output_bytes)}};
}

std::vector<double> time_repetitions(PeerWork& work, cudaStream_t stream, unsigned repetitions) {
  EventTimer timer;
  std::vector<double> seconds;
  for (unsigned i = 0; i < repetitions; ++i) {
    seconds.push_back(timer.seconds(stream, [&] { work.enqueue(); }));
  }
  return seconds;
}

void add_limit(Json& row, const StreamingLimit& limit, std::size_t text_bytes, std::size_t moved_bytes) {
  const StreamingTime& best = limit.variants.front();
  row["streaming_limit_gb_per_s"] = gigabytes_per_second(text_bytes, best.seconds);
  row["streaming_limit_moved_gb_per_s"] = gigabytes_per_second(moved_bytes, best.seconds);
  row["copy_moved_gb_per_s"] = limit.copy_bytes_per_second * 1e-9;
  row["streaming_limit_variant"] = best.variant;
}

}  // namespace

Json measure_peer_decompression(const PeerCodec& codec, std::span<const std::uint8_t> text,
                                const Dataset& dataset, unsigned repetitions) {
  const DeviceMonitor monitor(describe_device().pci_bus_id);
  const Stream stream;
  const cuda::DeviceBuffer expected(text);
  const CompressedText compressed = codec.compress({expected.data(), expected.size()}, stream.get());
  cuda::DeviceBuffer output(text.size());

  const DeviceMemoryWatch memory;
  const std::unique_ptr<Decompressor> decompressor =
      codec.make_decompressor(compressed, {output.data(), output.size()}, stream.get());
  verify(*decompressor, expected, output);
  const Json gpu_memory = memory_to_json(*decompressor, memory.use(), 0);

  const StreamingLimit limit = measure_streaming_limit({.input = compressed.bytes.data(),
                                                        .read_bytes = compressed.bytes.size(),
                                                        .output = output.data(),
                                                        .written_bytes = output.size()},
                                                       limit_repetitions);
  std::vector<double> seconds;
  const Json clocks = summarize_samples(
      monitor.sample_during([&] { seconds = time_repetitions(*decompressor, stream.get(), repetitions); }));
  verify(*decompressor, expected, output);

  Json row = row_to_json({.stage = codec.stage,
                          .variant = codec.variant,
                          .parameters = {{"chunk_bytes", codec.chunk_bytes}},
                          .uncompressed_bytes = text.size(),
                          .compressed_bytes = compressed.stored_bytes(),
                          .seconds = summarize(seconds)},
                         dataset);
  add_limit(row, limit, output.size(), output.size() + compressed.bytes.size());
  row["clocks"] = clocks;
  row["gpu_memory"] = gpu_memory;
  return row;
}

Json measure_peer_compression(const PeerCodec& codec, std::span<const std::uint8_t> text,
                              const Dataset& dataset, unsigned repetitions) {
  const DeviceMonitor monitor(describe_device().pci_bus_id);
  const Stream stream;
  const cuda::DeviceBuffer expected(text);

  const DeviceMemoryWatch memory;
  const std::unique_ptr<Compressor> compressor =
      codec.make_compressor({expected.data(), expected.size()}, stream.get());
  compressor->enqueue();
  GSST_CUDA_CHECK(cudaStreamSynchronize(stream.get()));
  const std::span<std::uint8_t> output = compressor->output();
  Json gpu_memory = memory_to_json(*compressor, memory.use(), output.size());
  gpu_memory["output_bytes"] = output.size();

  const CompressedText compressed = verify_compression(codec, *compressor, expected, stream.get());
  const std::size_t written_bytes = compressed.bytes.size();
  const StreamingLimit limit = measure_streaming_limit({.input = expected.data(),
                                                        .read_bytes = expected.size(),
                                                        .output = output.data(),
                                                        .written_bytes = written_bytes},
                                                       limit_repetitions);
  std::vector<double> seconds;
  const Json clocks = summarize_samples(
      monitor.sample_during([&] { seconds = time_repetitions(*compressor, stream.get(), repetitions); }));
  if (verify_compression(codec, *compressor, expected, stream.get()).stored_bytes() !=
      compressed.stored_bytes()) {
    throw MismatchError("the compressed text has another size after the timing");
  }

  Json row = row_to_json({.stage = codec.stage,
                          .variant = codec.variant,
                          .parameters = {{"chunk_bytes", codec.chunk_bytes}},
                          .uncompressed_bytes = text.size(),
                          .compressed_bytes = compressed.stored_bytes(),
                          .seconds = summarize(seconds)},
                         dataset);
  row["operation"] = "encode";
  row["end_to_end"] = true;
  add_limit(row, limit, text.size(), text.size() + written_bytes);
  row["clocks"] = clocks;
  row["gpu_memory"] = gpu_memory;
  return row;
}

}  // namespace gsst::experiments
