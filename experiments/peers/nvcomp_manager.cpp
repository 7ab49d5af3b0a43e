#include "experiments/peers/nvcomp_manager.hpp"

#include "common/cuda/error.hpp"
#include "experiments/peers/nvcomp_status.hpp"
#include "experiments/peers/peer_error.hpp"

namespace gsst::experiments {
namespace {

CompressedText compress(const MakeManager& make, std::size_t chunk_bytes, std::span<const std::uint8_t> text,
                        cudaStream_t stream) {
  const std::unique_ptr<nvcomp::nvcompManagerBase> manager = make(chunk_bytes, stream);
  const nvcomp::CompressionConfig config = manager->configure_compression(text.size());
  cuda::DeviceBuffer largest(config.max_compressed_buffer_size);
  manager->compress(text.data(), largest.data(), config);
  GSST_CUDA_CHECK(cudaStreamSynchronize(stream));
  check_nvcomp(*config.get_status(), "compress");
  CompressedText compressed{.bytes = cuda::DeviceBuffer(manager->get_compressed_output_size(largest.data())),
                            .chunk_bytes = {}};
  GSST_CUDA_CHECK(
      cudaMemcpy(compressed.bytes.data(), largest.data(), compressed.bytes.size(), cudaMemcpyDeviceToDevice));
  return compressed;
}

// Lets the manager's scratch memory come from the device's default memory pool, where it is counted.
std::unique_ptr<nvcomp::nvcompManagerBase> with_pool(std::unique_ptr<nvcomp::nvcompManagerBase> manager,
                                                     cudaStream_t stream) {
  manager->set_scratch_allocators(
      [stream](std::size_t bytes) {
        void* memory = nullptr;
        GSST_CUDA_CHECK(cudaMallocAsync(&memory, bytes, stream));
        return memory;
      },
      // It is called where nothing may be thrown.
      [stream](void* memory, std::size_t /*bytes*/) { cudaFreeAsync(memory, stream); });
  return manager;
}

class ManagerDecompressor : public Decompressor {
public:
  ManagerDecompressor(std::unique_ptr<nvcomp::nvcompManagerBase> manager, const CompressedText& compressed,
                      std::span<std::uint8_t> output)
      : manager_(std::move(manager)),
        compressed_(compressed),
        output_(output),
        config_(manager_->configure_decompression(compressed.bytes.data())) {
    if (config_.decomp_data_size != output.size()) {
      throw PeerError("nvCOMP: the compressed bytes say that the text has " +
                      std::to_string(config_.decomp_data_size) + " bytes instead of " +
                      std::to_string(output.size()));
    }
  }

  void enqueue() override { manager_->decompress(output_.data(), compressed_.bytes.data(), config_); }
  void check() const override { check_nvcomp(*config_.get_status(), "decompress"); }
  std::size_t allocated_bytes() const override { return 0; }

private:
  std::unique_ptr<nvcomp::nvcompManagerBase> manager_;
  const CompressedText& compressed_;
  std::span<std::uint8_t> output_;
  nvcomp::DecompressionConfig config_;
};

}  // namespace

PeerCodec manager_codec(const std::string& name, std::size_t chunk_bytes, const MakeManager& make) {
  return {.stage = "nvcomp/" + name,
          .variant = "manager",
          .chunk_bytes = chunk_bytes,
          .compress = [=](std::span<const std::uint8_t> text,
                          cudaStream_t stream) { return compress(make, chunk_bytes, text, stream); },
          .make_decompressor = [=](const CompressedText& compressed, std::span<std::uint8_t> output,
                                   cudaStream_t stream) -> std::unique_ptr<Decompressor> {
            return std::make_unique<ManagerDecompressor>(with_pool(make(chunk_bytes, stream), stream),
                                                         compressed, output);
          }};
}

}  // namespace gsst::experiments
