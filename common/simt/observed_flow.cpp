#include "common/simt/observed_flow.hpp"

#include <algorithm>
#include <utility>

namespace gsst::simt {
namespace {

using Node = ObservedFlow::Node;
using Neighbours = std::vector<std::vector<Node>>;

Neighbours reversed(const Neighbours& successors) {
  Neighbours predecessors(successors.size());
  for (Node node = 0; node < successors.size(); ++node) {
    for (const Node successor : successors[node]) predecessors[successor].push_back(node);
  }
  return predecessors;
}

// Nodes in the order in which a depth-first search from `first` leaves them.
std::vector<Node> postorder(const Neighbours& neighbours, Node first) {
  std::vector<Node> order;
  std::vector<bool> seen(neighbours.size());
  // A node, and how many of its neighbours have been followed.
  std::vector<std::pair<Node, std::size_t>> path = {{first, 0}};
  seen[first] = true;
  while (!path.empty()) {
    auto& [node, followed] = path.back();
    if (followed == neighbours[node].size()) {
      order.push_back(node);
      path.pop_back();
      continue;
    }
    const Node next = neighbours[node][followed++];
    if (!seen[next]) {
      seen[next] = true;
      path.emplace_back(next, 0);
    }
  }
  return order;
}

}  // namespace

void ObservedFlow::clear() {
  nodes_.clear();
  successors_.assign(2, {});
}

Node ObservedFlow::node_of(const void* code) {
  const auto [found, is_new] = nodes_.try_emplace(code, static_cast<Node>(successors_.size()));
  if (is_new) successors_.emplace_back();
  return found->second;
}

void ObservedFlow::add_step(Node from, Node to) {
  std::vector<Node>& successors = successors_[from];
  if (std::ranges::find(successors, to) == successors.end()) successors.push_back(to);
}

std::vector<Node> ObservedFlow::immediate_post_dominators() const {
  const std::vector<Node> order = postorder(reversed(successors_), exit);
  std::vector<std::size_t> rank(successors_.size());
  for (std::size_t i = 0; i < order.size(); ++i) rank[order[i]] = i;
  const auto unknown = static_cast<Node>(successors_.size());
  std::vector<Node> dominators(successors_.size(), unknown);
  dominators[exit] = exit;
  const auto common = [&](Node left, Node right) {
    while (left != right) {
      Node& farther = rank[left] < rank[right] ? left : right;
      farther = dominators[farther];
    }
    return left;
  };
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    for (auto node = order.rbegin(); node != order.rend(); ++node) {
      if (*node == exit) continue;
      Node dominator = unknown;
      for (const Node successor : successors_[*node]) {
        if (dominators[successor] == unknown) continue;
        dominator = dominator == unknown ? successor : common(dominator, successor);
      }
      has_changed |= std::exchange(dominators[*node], dominator) != dominator;
    }
  }
  return dominators;
}

}  // namespace gsst::simt
