#include "experiments/peers/nvcomp_manager.hpp"

#include "common/cuda/error.hpp"
#include "experiments/peers/nvcomp_status.hpp"
#include "experiments/peers/peer_error.hpp"

namespace gsst::experiments {
namespace {

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

class ManagerCompressor : public Compressor {
public:
  ManagerCompressor(std::unique_ptr<nvcomp::nvcompManagerBase> manager, std::span<const std::uint8_t> text,
                    cudaStream_t stream)
      : manager_(std::move(manager)),
        text_(text),
        stream_(stream),
        config_(manager_->configure_compression(text.size())),
        output_(config_.max_compressed_buffer_size) {}

  void enqueue() override { manager_->compress(text_.data(), output_.data(), config_); }
  void check() const override { check_nvcomp(*config_.get_status(), "compress"); }
  std::size_t allocated_bytes() const override { return 0; }
  std::span<std::uint8_t> output() override { return {output_.data(), output_.size()}; }

  CompressedText compressed() override {
    const std::size_t bytes = manager_->get_compressed_output_size(output_.data());
    if (bytes > output_.size()) throw PeerError("nvCOMP: the compressed text is larger than its buffer");
    CompressedText text{.bytes = cuda::DeviceBuffer(bytes), .chunk_bytes = {}};
    GSST_CUDA_CHECK(
        cudaMemcpyAsync(text.bytes.data(), output_.data(), bytes, cudaMemcpyDeviceToDevice, stream_));
    GSST_CUDA_CHECK(cudaStreamSynchronize(stream_));
    return text;
  }

private:
  std::unique_ptr<nvcomp::nvcompManagerBase> manager_;
  std::span<const std::uint8_t> text_;
  cudaStream_t stream_;
  nvcomp::CompressionConfig config_;
  cuda::DeviceBuffer output_;
};

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
  const auto make_compressor = [=](std::span<const std::uint8_t> text,
                                   cudaStream_t stream) -> std::unique_ptr<Compressor> {
    return std::make_unique<ManagerCompressor>(with_pool(make(chunk_bytes, stream), stream), text, stream);
  };
  return {.stage = "nvcomp/" + name,
          .variant = "manager",
          .chunk_bytes = chunk_bytes,
          .make_compressor = make_compressor,
          .compress =
              [=](std::span<const std::uint8_t> text, cudaStream_t stream) {
                const std::unique_ptr<Compressor> compressor = make_compressor(text, stream);
                compressor->enqueue();
                GSST_CUDA_CHECK(cudaStreamSynchronize(stream));
                compressor->check();
                return compressor->compressed();
              },
          .make_decompressor = [=](const CompressedText& compressed, std::span<std::uint8_t> output,
                                   cudaStream_t stream) -> std::unique_ptr<Decompressor> {
            return std::make_unique<ManagerDecompressor>(with_pool(make(chunk_bytes, stream), stream),
                                                         compressed, output);
          }};
}

}  // namespace gsst::experiments
