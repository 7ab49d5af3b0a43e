#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "common/stage/stage.hpp"

namespace gsst::pipeline {

/// Work that an executor does in order, beside that of other queues: a CUDA stream. On the CPU executor every
/// call does its work at once, so that the same program runs there one step after the other.
class Queue {
public:
  /// Throws cuda::CudaError.
  explicit Queue(stage::Executor executor);
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;
  /// Waits for what is in the queue: memory that it works on may be freed after it.
  ~Queue();

  /// Copies `from` to `to`, each in host memory or in the executor's. Both must stay until the copy is done;
  /// only page-locked host memory lets it run beside the caller.
  void copy(std::uint8_t* to, std::span<const std::uint8_t> from);
  /// Calls `work` on some thread of the host. It must stay until then, must not throw and must not use CUDA.
  void call(std::function<void()>& work);
  /// What is queued here from now on starts after all that is in `other` now.
  void start_after(const Queue& other);
  /// Waits until the queue is empty. Throws cuda::CudaError, also for work that failed.
  void wait() const;

  /// As stages take it: a cudaStream_t, nullptr for the CPU executor.
  void* stream() const { return stream_.get(); }

private:
  std::shared_ptr<void> stream_;
  /// A cudaEvent_t that start_after() records.
  std::shared_ptr<void> event_;
};

}  // namespace gsst::pipeline
