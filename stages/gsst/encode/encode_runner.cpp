#include "stages/gsst/encode/encode_runner.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>

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

}  // namespace

// The executor's memory.
class EncodeRunner::Memory {
public:
  Memory() = default;
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  virtual ~Memory() = default;

  virtual void run(const GsstEncodePlans& plans, std::span<const std::uint8_t> input,
                   const EncodeSubject& subject, const EncodeBuffers& buffers, EncodeResult& result) = 0;
};

template <typename Buffer>
class EncodeRunner::MemoryOf : public EncodeRunner::Memory {
public:
  void run(const GsstEncodePlans& plans, std::span<const std::uint8_t> input, const EncodeSubject& subject,
           const EncodeBuffers& buffers, EncodeResult& result) override {
    const std::unique_ptr<Plan> plan = plans.make(subject);
    const std::uint64_t output_bytes = bytes_of(*plan, Role::output);
    const std::uint64_t state_bytes = bytes_of(*plan, Role::state);
    Buffer& input_buffer = input_.take(buffers.input_offset + input.size());
    input_buffer.write(buffers.input_offset, input);
    output_.take(output_bytes, buffers);
    state_.take(state_bytes, buffers);
    // After the statuses, at an address that 8 divides: the frame's bytes.
    const std::uint64_t words_bytes = bytes_of(*plan, Role::status);
    const std::size_t status_bytes = (words_bytes + 7) / 8 * 8;
    Buffer& report = report_.take(status_bytes + sizeof(std::uint64_t));
    report.fill(0xcd);
    const std::array given = {to_read(input_buffer.data() + buffers.input_offset, input.size()),
                              Given{.data = output_.data(), .bytes = output_bytes},
                              Given{.data = state_.data(), .bytes = state_bytes},
                              Given{.data = report.data(), .bytes = words_bytes},
                              Given{.data = report.data() + status_bytes, .bytes = sizeof(std::uint64_t)}};
    plan->prepare(given, nullptr);
    // Tables that are trained on the executor are there once the first phase is done.
    enqueue_all(*plan, given, nullptr);
    result.tables = tables_of(plans, subject, given);

    // Waits for the default stream.
    std::vector<std::uint8_t> report_bytes(status_bytes + sizeof(std::uint64_t));
    report.read(0, report_bytes);
    result.statuses.resize(block_count(subject.settings));
    if (words_bytes != 0) std::memcpy(result.statuses.data(), report_bytes.data(), words_bytes);
    const std::span<const std::byte> reported = std::as_bytes(std::span(report_bytes));
    const Outcome outcome =
        plan->check(reported.first(words_bytes), reported.subspan(status_bytes, sizeof(std::uint64_t)), 0);
    if (!outcome.is_complete) {
      throw std::logic_error("an encoder reports a frame that is larger than its output of " +
                             std::to_string(output_bytes) + " bytes");
    }
    result.frame.resize(outcome.count);
    output_.read(result.frame);
    result.guards_are_intact = output_.is_intact() && state_.is_intact();
  }

private:
  static std::vector<format::SymbolTable> tables_of(const GsstEncodePlans& plans,
                                                    const EncodeSubject& subject,
                                                    std::span<const Given> given) {
    if (const auto* const tables = std::get_if<std::vector<format::SymbolTable>>(&subject.tables)) {
      return *tables;
    }
    return plans.tables(subject.settings, given, nullptr);
  }

  GrowingBuffer<Buffer> input_;
  GuardedBuffer<Buffer> output_;
  GuardedBuffer<Buffer> state_;
  GrowingBuffer<Buffer> report_;
};

EncodeRunner::EncodeRunner(const GsstEncodePlans& plans) : plans_(plans) {
#if GSST_WITH_CUDA
  if (plans.executor() == Executor::gpu) memory_ = std::make_unique<MemoryOf<GpuBuffer>>();
#endif
  if (!memory_) memory_ = std::make_unique<MemoryOf<AlignedBuffer>>();
}

EncodeRunner::~EncodeRunner() = default;

EncodeResult& EncodeRunner::run(std::span<const std::uint8_t> input, const EncodeSubject& subject,
                                const EncodeBuffers& buffers) {
  if (subject.settings.input_bytes != input.size()) {
    throw std::invalid_argument("stage " + plans_.description().id + ": the settings say " +
                                std::to_string(subject.settings.input_bytes) + " bytes, the input has " +
                                std::to_string(input.size()));
  }
  memory_->run(plans_, input, subject, buffers, result_);
  return result_;
}

}  // namespace gsst::stage
