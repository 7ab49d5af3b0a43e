#include "common/encode_stage/run_encode.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

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

// Memory that grows to the largest size that was taken.
template <typename Buffer>
class GrowingBuffer {
public:
  Buffer& take(std::size_t size) {
    if (!buffer_ || size > size_) {
      // Not both at a time.
      buffer_.reset();
      buffer_.emplace(size);
      size_ = size;
    }
    return *buffer_;
  }

private:
  std::optional<Buffer> buffer_;
  std::size_t size_ = 0;
};

// Memory between two guards.
template <typename Buffer>
class GuardedBuffer {
public:
  // What it held is lost.
  void take(std::size_t size, const EncodeBuffers& buffers) {
    buffer_ = &memory_.take(size + 2 * buffers.guard_bytes);
    size_ = size;
    guard_bytes_ = buffers.guard_bytes;
    poison_ = buffers.poison;
    buffer_->fill(poison_);
  }

  std::uint8_t* data() { return buffer_->data() + guard_bytes_; }
  void read(std::span<std::uint8_t> to) const { buffer_->read(guard_bytes_, to); }
  bool is_intact() const { return is_poison(0) && is_poison(guard_bytes_ + size_); }

private:
  bool is_poison(std::size_t offset) const {
    std::vector<std::uint8_t> guard(guard_bytes_);
    buffer_->read(offset, guard);
    return std::all_of(guard.begin(), guard.end(), [this](std::uint8_t byte) { return byte == poison_; });
  }

  GrowingBuffer<Buffer> memory_;
  Buffer* buffer_ = nullptr;
  std::size_t size_ = 0;
  std::size_t guard_bytes_ = 0;
  std::uint8_t poison_ = 0;
};

// Trains or loads the tables of a request, and returns those that were used.
using LoadTables = std::function<std::vector<format::SymbolTable>(const EncodeRequest& request)>;

}  // namespace

// The executor's memory.
class EncodeRunner::Memory {
public:
  Memory() = default;
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  virtual ~Memory() = default;

  virtual void run(const Encoder& encoder, std::span<const std::uint8_t> input,
                   const EncodeSettings& settings, const LoadTables& load, const EncodeBuffers& buffers,
                   EncodeResult& result) = 0;
};

template <typename Buffer>
class EncodeRunner::MemoryOf : public EncodeRunner::Memory {
public:
  void run(const Encoder& encoder, std::span<const std::uint8_t> input, const EncodeSettings& settings,
           const LoadTables& load, const EncodeBuffers& buffers, EncodeResult& result) override {
    const EncodeSpace space = encoder.space(settings);
    const std::uint32_t blocks = block_count(settings);
    Buffer& input_buffer = input_.take(buffers.input_offset + input.size());
    input_buffer.write(buffers.input_offset, input);
    output_.take(space.output_bytes, buffers);
    scratch_.take(space.scratch_bytes, buffers);
    // Behind the statuses, at an address that 8 divides: the frame's bytes.
    const std::size_t status_bytes = (blocks * sizeof(std::uint32_t) + 7) / 8 * 8;
    Buffer& report = report_.take(status_bytes + sizeof(std::uint64_t));
    report.fill(0xcd);
    const EncodeRequest request = {
        .settings = settings,
        .input = input_buffer.data() + buffers.input_offset,
        .output = output_.data(),
        .scratch = scratch_.data(),
        .status = reinterpret_cast<std::uint32_t*>(report.data()),
        .frame_bytes = reinterpret_cast<std::uint64_t*>(report.data() + status_bytes),
        .stream = nullptr};
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
    result.frame.resize(frame_bytes);
    output_.read(result.frame);
    result.guards_are_intact = output_.is_intact() && scratch_.is_intact();
  }

private:
  GrowingBuffer<Buffer> input_;
  GuardedBuffer<Buffer> output_;
  GuardedBuffer<Buffer> scratch_;
  GrowingBuffer<Buffer> report_;
};

EncodeRunner::EncodeRunner(const RegisteredStage& stage, Executor executor) : stage_(stage) {
  const auto encoder = stage.encoders.find(executor);
  if (encoder == stage.encoders.end() || !is_available(executor)) {
    throw std::invalid_argument("stage " + stage.description.id + ": this program cannot run it on " +
                                (executor == Executor::gpu ? "a GPU here" : "the CPU"));
  }
  encoder_ = encoder->second;
#if GSST_WITH_CUDA
  if (executor == Executor::gpu) memory_ = std::make_unique<MemoryOf<GpuBuffer>>();
#endif
  if (!memory_) memory_ = std::make_unique<MemoryOf<AlignedBuffer>>();
}

EncodeRunner::~EncodeRunner() = default;

void EncodeRunner::check(std::span<const std::uint8_t> input, const EncodeSettings& settings) const {
  const Description& description = stage_.description;
  check_settings(description, settings);
  if (settings.input_bytes != input.size()) {
    throw std::invalid_argument("stage " + description.id + ": the settings say " +
                                std::to_string(settings.input_bytes) + " bytes, the input has " +
                                std::to_string(input.size()));
  }
  if (settings.tiles && !writes_tiles(stage_)) {
    throw std::invalid_argument("stage " + description.id + ": does not write format tiles");
  }
}

EncodeResult& EncodeRunner::run(std::span<const std::uint8_t> input, const EncodeSettings& settings,
                                std::span<const format::SymbolTable> tables, const EncodeBuffers& buffers) {
  check(input, settings);
  const bool fit = tables.size() == 1 || tables.size() == table_count(settings);
  if (!tables.empty() && (settings.tiles || !fit)) {
    throw std::invalid_argument(
        "stage " + stage_.description.id + ": " + std::to_string(tables.size()) +
        " tables are given, expected " +
        (settings.tiles ? "none for format tiles" : "1 or " + std::to_string(table_count(settings))));
  }
  const auto load = [&](const EncodeRequest& request) {
    if (tables.empty()) {
      encoder_->train(request);
      return encoder_->tables(request);
    }
    encoder_->load_tables(request, tables);
    return std::vector<format::SymbolTable>(tables.begin(), tables.end());
  };
  memory_->run(*encoder_, input, settings, load, buffers, result_);
  return result_;
}

EncodeResult& EncodeRunner::run_tiles(std::span<const std::uint8_t> input, const EncodeSettings& settings,
                                      const format::TileTable& table, const EncodeBuffers& buffers) {
  check(input, settings);
  if (!settings.tiles || settings.tiles->code_bits != table.code_bits) {
    throw std::invalid_argument("stage " + stage_.description.id + ": the settings are not for a table of " +
                                std::to_string(table.code_bits) + "-bit codes");
  }
  const auto load = [&](const EncodeRequest& request) {
    encoder_->load_tile_table(request, table);
    return std::vector<format::SymbolTable>();
  };
  memory_->run(*encoder_, input, settings, load, buffers, result_);
  return result_;
}

EncodeResult run_encode(const RegisteredStage& stage, Executor executor, std::span<const std::uint8_t> input,
                        const EncodeSettings& settings, std::span<const format::SymbolTable> tables,
                        const EncodeBuffers& buffers) {
  return std::move(EncodeRunner(stage, executor).run(input, settings, tables, buffers));
}

EncodeResult run_encode_tiles(const RegisteredStage& stage, Executor executor,
                              std::span<const std::uint8_t> input, const EncodeSettings& settings,
                              const format::TileTable& table, const EncodeBuffers& buffers) {
  return std::move(EncodeRunner(stage, executor).run_tiles(input, settings, table, buffers));
}

}  // namespace gsst::stage
