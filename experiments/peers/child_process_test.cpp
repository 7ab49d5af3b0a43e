#include "experiments/peers/child_process.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <stdexcept>
#include <string>

#include "experiments/peers/peer_error.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;

std::string error_of(const std::function<Json()>& work) {
  try {
    run_in_child(work);
  } catch (const PeerError& error) {
    return error.what();
  }
  return "no error";
}

TEST(RunInChild, ReturnsWhatTheWorkReturns) {
  const std::string large(1 << 20, 'x');
  EXPECT_EQ(run_in_child([&] { return Json{{"text", large}}; }), (Json{{"text", large}}));
}

TEST(RunInChild, TheWorkRunsInAnotherProcess) {
  const Json process = run_in_child([] { return Json(::getpid()); });
  EXPECT_NE(process.get<pid_t>(), ::getpid());
}

TEST(RunInChild, AnExceptionKeepsItsMessage) {
  EXPECT_EQ(error_of([]() -> Json { throw std::runtime_error("out of memory"); }), "out of memory");
}

TEST(RunInChild, ASignalThatEndsTheWorkIsAnError) {
  const std::string error = error_of([]() -> Json {
    std::raise(SIGKILL);
    return {};
  });
  EXPECT_NE(error.find("signal"), std::string::npos) << error;
}

TEST(RunInChild, AnExitWithoutAnAnswerIsAnError) {
  EXPECT_EQ(error_of([]() -> Json { ::_exit(7); }), "ended with status 7");
}

}  // namespace
}  // namespace gsst::experiments
