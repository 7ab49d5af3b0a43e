#include "experiments/peers/child_process.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <stdexcept>
#include <string>

#include "experiments/peers/peer_error.hpp"

namespace gsst::experiments {
namespace {

std::string error_of(const std::function<std::string()>& work) {
  try {
    run_in_child(work);
  } catch (const PeerError& error) {
    return error.what();
  }
  return "no error";
}

TEST(RunInChild, ReturnsWhatTheWorkReturns) {
  std::string large(1 << 20, 'x');
  EXPECT_EQ(run_in_child([&] { return large; }), large);
  EXPECT_EQ(run_in_child([] { return std::string(); }), "");
}

TEST(RunInChild, TheWorkRunsInAnotherProcess) {
  EXPECT_NE(run_in_child([] { return std::to_string(::getpid()); }), std::to_string(::getpid()));
}

TEST(RunInChild, AnExceptionKeepsItsMessage) {
  EXPECT_EQ(error_of([]() -> std::string { throw std::runtime_error("out of memory"); }), "out of memory");
}

TEST(RunInChild, ASignalThatEndsTheWorkIsAnError) {
  const std::string error = error_of([]() -> std::string {
    std::raise(SIGKILL);
    return {};
  });
  EXPECT_NE(error.find("signal"), std::string::npos) << error;
}

TEST(RunInChild, AnExitWithoutAnAnswerIsAnError) {
  EXPECT_EQ(error_of([]() -> std::string { ::_exit(7); }), "ended with status 7");
}

}  // namespace
}  // namespace gsst::experiments
