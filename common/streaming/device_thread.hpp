#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <mutex>
#include <thread>

namespace gsst::streaming {

/// A thread that does one piece of work after the other.
class DeviceThread {
public:
  DeviceThread();
  DeviceThread(const DeviceThread&) = delete;
  DeviceThread& operator=(const DeviceThread&) = delete;
  /// Waits for the piece that is being done. What has not begun is dropped.
  ~DeviceThread();

  /// Has the thread do `work` after all that it was given before. The future holds what it throws.
  std::future<void> post(std::function<void()> work);

private:
  void work_until_end();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::packaged_task<void()>> tasks_;
  bool ends_ = false;
  // Last: it uses the others.
  std::jthread thread_;
};

}  // namespace gsst::streaming
