#include "common/streaming/device_thread.hpp"

#include <gtest/gtest.h>

#include <future>
#include <stdexcept>
#include <vector>

namespace gsst::streaming {
namespace {

TEST(DeviceThread, DoesItsWorkInOrderOnOneThread) {
  std::vector<int> done;
  std::thread::id first;
  DeviceThread thread;
  thread.post([&] { first = std::this_thread::get_id(); });
  for (int i = 0; i < 100; ++i) {
    thread.post([&, i] {
      if (std::this_thread::get_id() == first) done.push_back(i);
    });
  }
  thread.post([] {}).wait();
  ASSERT_EQ(done.size(), 100U);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(done[static_cast<std::size_t>(i)], i);
  EXPECT_NE(first, std::this_thread::get_id());
}

TEST(DeviceThread, HandsOnWhatItsWorkThrowsAndGoesOn) {
  DeviceThread thread;
  std::future<void> failed = thread.post([] { throw std::runtime_error("broken"); });
  std::future<void> next = thread.post([] {});
  EXPECT_THROW(failed.get(), std::runtime_error);
  EXPECT_NO_THROW(next.get());
}

TEST(DeviceThread, DropsWhatHasNotBegunWhenItEnds) {
  std::promise<void> begun;
  std::promise<void> released;
  bool is_done = false;
  bool is_dropped = true;
  std::jthread releases;
  {
    DeviceThread thread;
    thread.post([&] {
      begun.set_value();
      released.get_future().wait();
      is_done = true;
    });
    thread.post([&] { is_dropped = false; });
    begun.get_future().wait();
    releases = std::jthread([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      released.set_value();
    });
  }
  EXPECT_TRUE(is_done);
  EXPECT_TRUE(is_dropped);
}

}  // namespace
}  // namespace gsst::streaming
