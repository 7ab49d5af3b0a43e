#include "experiments/measure_line_rate_gpu/batch_queue.hpp"

namespace gsst::experiments {

bool BatchQueue::wait_for_slot() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return is_closed_ || free_slots_ > 0; });
  if (is_closed_) return false;
  --free_slots_;
  return true;
}

void BatchQueue::put(Batch batch) {
  {
    const std::lock_guard lock(mutex_);
    batches_.push(batch);
  }
  changed_.notify_all();
}

std::optional<BatchQueue::Batch> BatchQueue::take() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return is_closed_ || !batches_.empty(); });
  if (batches_.empty()) return std::nullopt;
  const Batch batch = batches_.front();
  batches_.pop();
  return batch;
}

void BatchQueue::free_slot() {
  {
    const std::lock_guard lock(mutex_);
    ++free_slots_;
  }
  changed_.notify_all();
}

void BatchQueue::close() {
  {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
  }
  changed_.notify_all();
}

}  // namespace gsst::experiments
