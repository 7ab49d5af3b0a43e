#include "common/streaming/device_thread.hpp"

#include <utility>

namespace gsst::streaming {

DeviceThread::DeviceThread() : thread_([this] { work_until_end(); }) {}

DeviceThread::~DeviceThread() {
  const std::lock_guard lock(mutex_);
  ends_ = true;
  changed_.notify_one();
}

std::future<void> DeviceThread::post(std::function<void()> work) {
  std::packaged_task<void()> task(std::move(work));
  std::future<void> done = task.get_future();
  const std::lock_guard lock(mutex_);
  tasks_.push_back(std::move(task));
  changed_.notify_one();
  return done;
}

void DeviceThread::work_until_end() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return ends_ || !tasks_.empty(); });
    if (ends_) return;
    std::packaged_task<void()> task = std::move(tasks_.front());
    tasks_.pop_front();
    lock.unlock();
    task();
    lock.lock();
  }
}

}  // namespace gsst::streaming
