#include "common/encode_stage/run_encode.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>

#include "common/stage/run_decode.hpp"
#if GSST_WITH_CUDA
#include <cuda_runtime_api.h>

#include "common/cuda/device_buffer.hpp"
#include "common/cuda/error.hpp"
#endif

namespace gsst::stage {
namespace {

// Host memory for the CPU executor, aligned as an encoder asks for.
class AlignedBuffer {
public:
  explicit AlignedBuffer(std::size_t size)
      : bytes_(static_cast<std::uint8_t*>(::operator new (size, std::align_val_t{encode_alignment}))),
        size_(size) {}

  std::uint8_t* data() { return bytes_.get(); }
  void fill(std::uint8_t value) { std::fill_n(bytes_.get(), size_, value); }
  void read(std::size_t offset, std::span<std::uint8_t> to) const {
    std::copy_n(bytes_.get() + offset, to.size(), to.data());
  }
  void write(std::size_t offset, std::span<const std::uint8_t> from) {
    std::copy_n(from.data(), from.size(), bytes_.get() + offset);
  }

private:
  struct Delete {
    void operator()(std::uint8_t* bytes) const {
      ::operator delete (bytes, std::align_val_t{encode_alignment});
    }
  };
  std::unique_ptr<std::uint8_t, Delete> bytes_;
  std::size_t size_;
};

#if GSST_WITH_CUDA
class GpuBuffer {
public:
  explicit GpuBuffer(std::size_t size) : bytes_(size) {}

  std::uint8_t* data() { return bytes_.data(); }
  void fill(std::uint8_t value) { bytes_.fill(value); }
  void read(std::size_t offset, std::span<std::uint8_t> to) const {
    if (to.empty()) return;
    GSST_CUDA_CHECK(cudaMemcpy(to.data(), bytes_.data() + offset, to.size(), cudaMemcpyDeviceToHost));
  }
  void write(std::size_t offset, std::span<const std::uint8_t> from) {
    if (from.empty()) return;
    GSST_CUDA_CHECK(cudaMemcpy(bytes_.data() + offset, from.data(), from.size(), cudaMemcpyHostToDevice));
  }

private:
  cuda::DeviceBuffer bytes_;
};
#endif

// Memory between two guards.
template <typename Buffer>
class GuardedBuffer {
public:
  GuardedBuffer(std::size_t size, const EncodeBuffers& buffers)
      : buffer_(size + 2 * buffers.guard_bytes),
        size_(size),
        guard_bytes_(buffers.guard_bytes),
        poison_(buffers.poison) {
    buffer_.fill(poison_);
  }

  std::uint8_t* data() { return buffer_.data() + guard_bytes_; }
  std::vector<std::uint8_t> read(std::size_t bytes) const {
    std::vector<std::uint8_t> result(bytes);
    buffer_.read(guard_bytes_, result);
    return result;
  }
  bool is_intact() const { return is_poison(0) && is_poison(guard_bytes_ + size_); }

private:
  bool is_poison(std::size_t offset) const {
    std::vector<std::uint8_t> guard(guard_bytes_);
    buffer_.read(offset, guard);
    return std::all_of(guard.begin(), guard.end(), [this](std::uint8_t byte) { return byte == poison_; });
  }

  Buffer buffer_;
  std::size_t size_;
  std::size_t guard_bytes_;
  std::uint8_t poison_;
};

// `load(request)` trains or loads the tables, and returns those that were used.
template <typename Buffer, typename Load>
EncodeResult run(const Encoder& encoder, std::span<const std::uint8_t> input, const EncodeSettings& settings,
                 const Load& load, const EncodeBuffers& buffers) {
  const EncodeSpace space = encoder.space(settings);
  const std::uint32_t blocks = block_count(settings);
  Buffer input_buffer(buffers.input_offset + input.size());
  input_buffer.write(buffers.input_offset, input);
  GuardedBuffer<Buffer> output(space.output_bytes, buffers);
  GuardedBuffer<Buffer> scratch(space.scratch_bytes, buffers);
  // Behind the statuses, at an address that 8 divides: the frame's bytes.
  const std::size_t status_bytes = (blocks * sizeof(std::uint32_t) + 7) / 8 * 8;
  Buffer report(status_bytes + sizeof(std::uint64_t));
  report.fill(0xcd);
  const EncodeRequest request = {
      .settings = settings,
      .input = input_buffer.data() + buffers.input_offset,
      .output = output.data(),
      .scratch = scratch.data(),
      .status = reinterpret_cast<std::uint32_t*>(report.data()),
      .frame_bytes = reinterpret_cast<std::uint64_t*>(report.data() + status_bytes),
      .stream = nullptr};
  EncodeResult result;
  result.tables = load(request);
  for (const EncodePhase& phase : encoder.phases) phase.enqueue(request);

  // Waits for the default stream.
  std::vector<std::uint8_t> report_bytes(status_bytes + sizeof(std::uint64_t));
  report.read(0, report_bytes);
  result.statuses.resize(blocks);
  if (blocks != 0) {
    std::memcpy(result.statuses.data(), report_bytes.data(), blocks * sizeof(std::uint32_t));
  }
  std::uint64_t frame_bytes = 0;
  std::memcpy(&frame_bytes, report_bytes.data() + status_bytes, sizeof frame_bytes);
  if (frame_bytes > space.output_bytes) {
    throw std::logic_error("an encoder reports a frame of " + std::to_string(frame_bytes) +
                           " bytes and declared an output of " + std::to_string(space.output_bytes));
  }
  result.frame = output.read(frame_bytes);
  result.guards_are_intact = output.is_intact() && scratch.is_intact();
  return result;
}

// The stage's encoder on `executor`. Throws std::invalid_argument for settings that it does not take.
const Encoder& choose_encoder(const RegisteredEncoder& stage, Executor executor,
                              std::span<const std::uint8_t> input, const EncodeSettings& settings) {
  const Description& description = stage.description;
  check_settings(description, settings);
  if (settings.input_bytes != input.size()) {
    throw std::invalid_argument("stage " + description.id + ": the settings say " +
                                std::to_string(settings.input_bytes) + " bytes, the input has " +
                                std::to_string(input.size()));
  }
  const auto encoder = stage.encoders.find(executor);
  if (encoder == stage.encoders.end() || !is_available(executor)) {
    throw std::invalid_argument("stage " + description.id + ": this program cannot run it on " +
                                (executor == Executor::gpu ? "a GPU here" : "the CPU"));
  }
  if (settings.tiles && !writes_tiles(stage)) {
    throw std::invalid_argument("stage " + description.id + ": does not write format tiles");
  }
  return encoder->second;
}

template <typename Load>
EncodeResult run_on(Executor executor, const Encoder& encoder, std::span<const std::uint8_t> input,
                    const EncodeSettings& settings, const Load& load, const EncodeBuffers& buffers) {
#if GSST_WITH_CUDA
  if (executor == Executor::gpu) return run<GpuBuffer>(encoder, input, settings, load, buffers);
#else
  static_cast<void>(executor);
#endif
  return run<AlignedBuffer>(encoder, input, settings, load, buffers);
}

}  // namespace

EncodeResult run_encode(const RegisteredEncoder& stage, Executor executor,
                        std::span<const std::uint8_t> input, const EncodeSettings& settings,
                        std::span<const format::SymbolTable> tables, const EncodeBuffers& buffers) {
  const Encoder& encoder = choose_encoder(stage, executor, input, settings);
  const bool fit = tables.size() == 1 || tables.size() == table_count(settings);
  if (!tables.empty() && (settings.tiles || !fit)) {
    throw std::invalid_argument(
        "stage " + stage.description.id + ": " + std::to_string(tables.size()) +
        " tables are given, expected " +
        (settings.tiles ? "none for format tiles" : "1 or " + std::to_string(table_count(settings))));
  }
  const auto load = [&](const EncodeRequest& request) {
    if (tables.empty()) {
      encoder.train(request);
      return encoder.tables(request);
    }
    encoder.load_tables(request, tables);
    return std::vector<format::SymbolTable>(tables.begin(), tables.end());
  };
  return run_on(executor, encoder, input, settings, load, buffers);
}

EncodeResult run_encode_tiles(const RegisteredEncoder& stage, Executor executor,
                              std::span<const std::uint8_t> input, const EncodeSettings& settings,
                              const format::TileTable& table, const EncodeBuffers& buffers) {
  const Encoder& encoder = choose_encoder(stage, executor, input, settings);
  if (!settings.tiles || settings.tiles->code_bits != table.code_bits) {
    throw std::invalid_argument("stage " + stage.description.id + ": the settings are not for a table of " +
                                std::to_string(table.code_bits) + "-bit codes");
  }
  const auto load = [&](const EncodeRequest& request) {
    encoder.load_tile_table(request, table);
    return std::vector<format::SymbolTable>();
  };
  return run_on(executor, encoder, input, settings, load, buffers);
}

}  // namespace gsst::stage
