#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace gsst::simt {

/// The control flow of code that several threads went through, as far as they did: which pieces of code there
/// are, and which follow which.
class ObservedFlow {
public:
  using Node = std::uint32_t;
  /// Where all threads begin, and where they end.
  static constexpr Node entry = 0;
  static constexpr Node exit = 1;

  ObservedFlow() { clear(); }

  /// Forgets all.
  void clear();
  /// The node of the code at this address, a new one where it has none.
  Node node_of(const void* code);
  /// A thread has gone from one node to another.
  void add_step(Node from, Node to);
  std::size_t size() const { return successors_.size(); }

  /// Of each node the first one behind it that is on every way from it to the exit: its immediate
  /// post-dominator (Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm", 2001). Threads that go
  /// different ways at a node are together again there. The exit's is the exit. Each node but the exit has a
  /// step to another, and from each there is a way to the exit.
  std::vector<Node> immediate_post_dominators() const;

private:
  std::unordered_map<const void*, Node> nodes_;
  std::vector<std::vector<Node>> successors_;
};

}  // namespace gsst::simt
