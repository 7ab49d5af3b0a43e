#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <span>
#include <thread>
#include <vector>

#include "gsst/gsst.hpp"
#include "reference_cpu/test_inputs.hpp"

// A process that used several threads is forked: parent and child go on using them.
namespace gsst::library {
namespace {

// A child that waits for threads which it does not have would wait forever.
constexpr unsigned hung_child_seconds = 60;

using reference::test::make_text;

// What a call with several threads gives, and what one with one thread did.
class ThreadedCalls {
public:
  ThreadedCalls() : input_(make_text(60'000, 11)) {
    frame_ = compress(input(), {.block_bytes = 4'000}).value();
  }

  bool give_the_right_bytes() const {
    const auto frame = compress(input(), {.block_bytes = 4'000, .threads = 3});
    const auto output = decompress(frame_, {.threads = 4});
    return frame && frame.value() == frame_ && output && std::ranges::equal(output.value(), input());
  }

  bool report_damage() const {
    std::vector<std::byte> damaged = frame_;
    const auto plan = DecompressPlan::create(frame_);
    if (!plan) return false;
    const BlockInfo block = plan.value().block(3).value();
    damaged[block.compressed_offset + block.compressed_bytes - 1] ^= std::byte{0x10};
    const auto output = decompress(damaged, {.threads = 3});
    return !output && output.failure().message.starts_with("block 3: ");
  }

private:
  std::span<const std::byte> input() const { return std::as_bytes(std::span(input_)); }

  std::vector<std::uint8_t> input_;
  std::vector<std::byte> frame_;
};

// Whether `work` gives true in a child process.
template <typename Work>
bool is_true_in_a_child(const Work& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGALRM, SIG_DFL);
    ::alarm(hung_child_seconds);
    ::_exit(work() ? 0 : 1);
  }
  int status = 0;
  return child > 0 && ::waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(Fork, ChildAndParentUseSeveralThreadsAgain) {
  const ThreadedCalls calls;
  for (int round = 0; round < 3; ++round) {
    ASSERT_TRUE(calls.give_the_right_bytes());
    ASSERT_TRUE(is_true_in_a_child([&] { return calls.give_the_right_bytes() && calls.report_damage(); }));
  }
  EXPECT_TRUE(calls.give_the_right_bytes());
}

TEST(Fork, AChildOfAChildUsesSeveralThreads) {
  const ThreadedCalls calls;
  ASSERT_TRUE(calls.give_the_right_bytes());
  EXPECT_TRUE(is_true_in_a_child([&] {
    return calls.give_the_right_bytes() && is_true_in_a_child([&] { return calls.give_the_right_bytes(); });
  }));
}

#if defined(__SANITIZE_ADDRESS__)
#define GSST_HAS_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define GSST_HAS_ADDRESS_SANITIZER 1
#endif
#endif

TEST(Fork, AnotherThreadMayBeInACall) {
#ifdef GSST_HAS_ADDRESS_SANITIZER
  GTEST_SKIP()
      << "the sanitizer's allocator keeps the other thread's locks: a child may wait for them forever";
#else
  const ThreadedCalls calls;
  ASSERT_TRUE(calls.give_the_right_bytes());
  std::atomic<bool> stop = false;
  std::atomic<bool> all_right = true;
  std::thread other([&] {
    while (!stop) {
      if (!calls.give_the_right_bytes()) all_right = false;
    }
  });
  bool child_is_right = true;
  for (int round = 0; round < 5 && child_is_right; ++round) {
    child_is_right = is_true_in_a_child([&] { return calls.give_the_right_bytes(); });
  }
  stop = true;
  other.join();
  EXPECT_TRUE(child_is_right);
  EXPECT_TRUE(all_right);
#endif
}

}  // namespace
}  // namespace gsst::library
