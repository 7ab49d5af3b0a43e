#include "common/simt/observed_flow.hpp"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <string>
#include <vector>

namespace gsst::simt {
namespace {

using Node = ObservedFlow::Node;

// Code addresses, of which nothing is read.
const void* named_code(char name) {
  static const std::array<char, 128> places{};
  return &places.at(static_cast<std::size_t>(name));
}

// A flow in which threads go these ways, a letter for each piece of code.
ObservedFlow flow_of(const std::vector<std::string>& ways) {
  ObservedFlow flow;
  for (const std::string& way : ways) {
    Node last = ObservedFlow::entry;
    for (const char name : way) {
      const Node node = flow.node_of(named_code(name));
      flow.add_step(last, node);
      last = node;
    }
    flow.add_step(last, ObservedFlow::exit);
  }
  return flow;
}

void expect_meetings(const std::vector<std::string>& ways, const std::vector<std::string>& meetings) {
  ObservedFlow flow = flow_of(ways);
  const std::vector<Node> found = flow.immediate_post_dominators();
  for (const std::string& meeting : meetings) {
    const Node from = meeting[0] == '<' ? ObservedFlow::entry : flow.node_of(named_code(meeting[0]));
    const Node to = meeting[1] == '>' ? ObservedFlow::exit : flow.node_of(named_code(meeting[1]));
    EXPECT_EQ(found[from], to) << meeting;
  }
}

TEST(ObservedFlow, WaysMeetBehindABranch) {
  expect_meetings({"abd", "acd"}, {"<a", "ad", "bd", "cd", "d>"});
}

TEST(ObservedFlow, WaysThatBeginApartMeetToo) {
  expect_meetings({"ac", "bc"}, {"<c", "ac", "bc", "c>"});
}

TEST(ObservedFlow, WaysThatEndApartMeetAtTheExit) {
  expect_meetings({"ab", "ac"}, {"<a", "a>", "b>", "c>"});
}

TEST(ObservedFlow, ALoopIsLeftWhereAllLeaveIt) {
  // In a loop over h, b and c, of which c is not in each turn.
  expect_meetings({"hbchbhx", "hbhbchx", "hx"}, {"<h", "hx", "bh", "ch", "x>"});
}

TEST(ObservedFlow, ATurnEndsWhereAllEndIt) {
  // l ends each turn, and after the last one f may follow.
  expect_meetings({"hblhl", "hlhlf", "hlhblf"}, {"hl", "bl", "l>", "f>"});
}

TEST(ObservedFlow, ClearForgetsAll) {
  ObservedFlow flow = flow_of({"abd", "acd"});
  flow.clear();
  EXPECT_EQ(flow.size(), 2U);
}

// By the definition: b is behind a on all ways if the exit cannot be reached from a without b.
bool reaches_exit_without(const std::vector<std::vector<Node>>& successors, Node from, Node without) {
  std::vector<bool> seen(successors.size());
  std::vector<Node> left = {from};
  while (!left.empty()) {
    const Node node = left.back();
    left.pop_back();
    if (node == without || seen[node]) continue;
    if (node == ObservedFlow::exit) return true;
    seen[node] = true;
    left.insert(left.end(), successors[node].begin(), successors[node].end());
  }
  return false;
}

TEST(ObservedFlow, RandomFlowsMeetAsTheDefinitionSays) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (unsigned flow_number = 0; flow_number < 200; ++flow_number) {
    ObservedFlow flow;
    std::vector<std::vector<Node>> successors(2);
    const auto step = [&](Node from, Node to) {
      flow.add_step(from, to);
      successors[from].push_back(to);
    };
    const auto names = static_cast<char>(1 + random() % 9);
    for (unsigned way = 0; way < 1 + random() % 4; ++way) {
      Node last = ObservedFlow::entry;
      for (std::uint_fast32_t length = random() % 12; length != 0; --length) {
        const Node node = flow.node_of(named_code(static_cast<char>('a' + random() % names)));
        successors.resize(flow.size());
        step(last, node);
        last = node;
      }
      step(last, ObservedFlow::exit);
    }
    const std::vector<Node> found = flow.immediate_post_dominators();
    for (Node node = 0; node < flow.size(); ++node) {
      if (node == ObservedFlow::exit) continue;
      ASSERT_NE(found[node], node);
      if (found[node] != ObservedFlow::exit) {
        EXPECT_FALSE(reaches_exit_without(successors, node, found[node]));
      }
      // Each other one that is on all ways comes behind the one found.
      for (Node other = 2; other < flow.size(); ++other) {
        if (other == node || other == found[node] || reaches_exit_without(successors, node, other)) continue;
        ASSERT_NE(found[node], ObservedFlow::exit);
        EXPECT_FALSE(reaches_exit_without(successors, found[node], other));
      }
    }
  }
}

}  // namespace
}  // namespace gsst::simt
