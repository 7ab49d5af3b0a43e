#include "experiments/peers/nvcomp_batched.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "common/cuda/error.hpp"
#include "experiments/peers/chunks.hpp"
#include "experiments/peers/nvcomp_status.hpp"
#include "experiments/peers/peer_error.hpp"

namespace gsst::experiments {
namespace {

// Chunks that are compressed together: what the compressor needs beside them grows with their number.
constexpr std::size_t chunks_per_batch = 16'384;
// Of compressed chunks. nvCOMP's headers recommend 16 or 32 where the codec asks for less.
constexpr std::size_t least_alignment = 16;

// An array in device memory.
template <typename Element>
class DeviceArray {
public:
  explicit DeviceArray(std::size_t count) : buffer_(count * sizeof(Element)) {}
  explicit DeviceArray(const std::vector<Element>& elements) : DeviceArray(elements.size()) {
    GSST_CUDA_CHECK(cudaMemcpy(buffer_.data(), elements.data(), buffer_.size(), cudaMemcpyHostToDevice));
  }

  Element* data() { return reinterpret_cast<Element*>(buffer_.data()); }
  std::size_t bytes() const { return buffer_.size(); }

  std::vector<Element> to_host() const {
    std::vector<Element> elements(buffer_.size() / sizeof(Element));
    GSST_CUDA_CHECK(cudaMemcpy(elements.data(), buffer_.data(), buffer_.size(), cudaMemcpyDeviceToHost));
    return elements;
  }

private:
  cuda::DeviceBuffer buffer_;
};

// The addresses of parts that lie at `offsets` behind `start`.
template <typename Byte>
auto addresses(Byte* start, std::span<const std::size_t> offsets) {
  using Address = std::conditional_t<std::is_const_v<Byte>, const void*, void*>;
  std::vector<Address> result;
  result.reserve(offsets.size());
  for (const std::size_t offset : offsets) result.push_back(start + offset);
  return result;
}

void check_chunks(const DeviceArray<nvcompStatus_t>& statuses, const char* what) {
  for (const nvcompStatus_t status : statuses.to_host()) check_nvcomp(status, what);
}

// Some chunks, compressed, behind each other.
CompressedText compress_batch(const BatchedFunctions& functions, std::span<const std::uint8_t> text,
                              std::size_t chunk_bytes, std::size_t alignment, cudaStream_t stream) {
  const std::vector<std::size_t> sizes = chunk_sizes(text.size(), chunk_bytes);
  std::size_t temporary_bytes = 0;
  check_nvcomp(functions.compress_temporary_bytes(sizes.size(), chunk_bytes, text.size(), &temporary_bytes),
               "temporary bytes of the compressor");
  std::size_t largest = 0;
  check_nvcomp(functions.largest_compressed_chunk(chunk_bytes, &largest), "largest compressed chunk");
  const Layout places = lay_out(std::vector<std::size_t>(sizes.size(), largest), 256);

  cuda::DeviceBuffer temporary(temporary_bytes);
  cuda::DeviceBuffer chunks(places.total_bytes);
  DeviceArray<const void*> inputs(addresses(text.data(), lay_out(sizes, 1).offsets));
  DeviceArray<std::size_t> input_bytes(sizes);
  DeviceArray<void*> outputs(addresses(chunks.data(), places.offsets));
  DeviceArray<std::size_t> output_bytes(sizes.size());
  DeviceArray<nvcompStatus_t> statuses(sizes.size());
  check_nvcomp(
      functions.compress(inputs.data(), input_bytes.data(), chunk_bytes, sizes.size(), temporary.data(),
                         temporary_bytes, outputs.data(), output_bytes.data(), statuses.data(), stream),
      "compress");
  GSST_CUDA_CHECK(cudaStreamSynchronize(stream));
  check_chunks(statuses, "compress a chunk");

  std::vector<std::size_t> compressed_bytes = output_bytes.to_host();
  const Layout packed = lay_out(compressed_bytes, alignment);
  cuda::DeviceBuffer bytes(packed.total_bytes);
  bytes.fill(0);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    GSST_CUDA_CHECK(cudaMemcpyAsync(bytes.data() + packed.offsets[i], chunks.data() + places.offsets[i],
                                    compressed_bytes[i], cudaMemcpyDeviceToDevice, stream));
  }
  GSST_CUDA_CHECK(cudaStreamSynchronize(stream));
  return {.bytes = std::move(bytes), .chunk_bytes = std::move(compressed_bytes)};
}

// Where compressed chunks begin.
std::size_t alignment_of(const BatchedFunctions& functions) {
  nvcompAlignmentRequirements_t required = {};
  check_nvcomp(functions.decompress_alignments(&required), "alignment of compressed chunks");
  return std::max(required.input, least_alignment);
}

CompressedText join(std::span<const CompressedText> batches, std::size_t alignment) {
  std::vector<std::size_t> batch_bytes;
  std::vector<std::size_t> chunk_bytes;
  for (const CompressedText& batch : batches) {
    batch_bytes.push_back(batch.bytes.size());
    chunk_bytes.insert(chunk_bytes.end(), batch.chunk_bytes.begin(), batch.chunk_bytes.end());
  }
  const Layout layout = lay_out(batch_bytes, alignment);
  cuda::DeviceBuffer bytes(layout.total_bytes);
  bytes.fill(0);
  for (std::size_t i = 0; i < batches.size(); ++i) {
    GSST_CUDA_CHECK(cudaMemcpy(bytes.data() + layout.offsets[i], batches[i].bytes.data(), batch_bytes[i],
                               cudaMemcpyDeviceToDevice));
  }
  return {.bytes = std::move(bytes), .chunk_bytes = std::move(chunk_bytes)};
}

CompressedText compress(const BatchedFunctions& functions, std::size_t chunk_bytes,
                        std::span<const std::uint8_t> text, cudaStream_t stream) {
  const std::size_t alignment = alignment_of(functions);
  std::vector<CompressedText> batches;
  for (std::size_t begin = 0; begin < text.size(); begin += chunks_per_batch * chunk_bytes) {
    const std::size_t bytes = std::min(text.size() - begin, chunks_per_batch * chunk_bytes);
    batches.push_back(compress_batch(functions, text.subspan(begin, bytes), chunk_bytes, alignment, stream));
  }
  return join(batches, alignment);
}

std::size_t decompress_temporary_bytes(const BatchedFunctions& functions, std::size_t chunks,
                                       std::size_t chunk_bytes, std::size_t text_bytes) {
  std::size_t bytes = 0;
  check_nvcomp(functions.decompress_temporary_bytes(chunks, chunk_bytes, text_bytes, &bytes),
               "temporary bytes of the decompressor");
  return bytes;
}

class BatchedDecompressor : public Decompressor {
public:
  BatchedDecompressor(BatchedFunctions functions, std::size_t chunk_bytes, const CompressedText& compressed,
                      std::span<std::uint8_t> output, cudaStream_t stream)
      : functions_(std::move(functions)),
        stream_(stream),
        count_(compressed.chunk_bytes.size()),
        sizes_(chunk_sizes(output.size(), chunk_bytes)),
        temporary_(decompress_temporary_bytes(functions_, count_, chunk_bytes, output.size())),
        inputs_(addresses(compressed.bytes.data(),
                          lay_out(compressed.chunk_bytes, alignment_of(functions_)).offsets)),
        input_bytes_(compressed.chunk_bytes),
        outputs_(addresses(output.data(), lay_out(sizes_, 1).offsets)),
        output_bytes_(sizes_),
        decompressed_bytes_(count_),
        statuses_(count_) {}

  void enqueue() override {
    check_nvcomp(functions_.decompress(inputs_.data(), input_bytes_.data(), output_bytes_.data(),
                                       decompressed_bytes_.data(), count_, temporary_.data(),
                                       temporary_.size(), outputs_.data(), statuses_.data(), stream_),
                 "decompress");
  }

  void check() const override {
    check_chunks(statuses_, "decompress a chunk");
    if (decompressed_bytes_.to_host() != sizes_) throw PeerError("nvCOMP: a chunk has another size");
  }

  std::size_t allocated_bytes() const override {
    return temporary_.size() + inputs_.bytes() + input_bytes_.bytes() + outputs_.bytes() +
           output_bytes_.bytes() + decompressed_bytes_.bytes() + statuses_.bytes();
  }

private:
  BatchedFunctions functions_;
  cudaStream_t stream_;
  std::size_t count_;
  std::vector<std::size_t> sizes_;
  cuda::DeviceBuffer temporary_;
  DeviceArray<const void*> inputs_;
  DeviceArray<std::size_t> input_bytes_;
  DeviceArray<void*> outputs_;
  DeviceArray<std::size_t> output_bytes_;
  DeviceArray<std::size_t> decompressed_bytes_;
  DeviceArray<nvcompStatus_t> statuses_;
};

}  // namespace

PeerCodec batched_codec(const std::string& name, std::size_t chunk_bytes, const BatchedFunctions& functions) {
  return {.stage = "nvcomp/" + name,
          .variant = "batched",
          .chunk_bytes = chunk_bytes,
          .compress = [=](std::span<const std::uint8_t> text,
                          cudaStream_t stream) { return compress(functions, chunk_bytes, text, stream); },
          .make_decompressor = [=](const CompressedText& compressed, std::span<std::uint8_t> output,
                                   cudaStream_t stream) -> std::unique_ptr<Decompressor> {
            return std::make_unique<BatchedDecompressor>(functions, chunk_bytes, compressed, output, stream);
          }};
}

}  // namespace gsst::experiments
