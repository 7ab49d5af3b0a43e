#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "search/codes/words_automaton.hpp"
#include "stages/search/06_hot_set/searched_words.hpp"

namespace gsst::search::kernels {

/// What a code of a sample puts out: the first byte in the lowest 8 bits.
struct SampledCode {
  std::uint64_t symbol;
  std::uint32_t length;
};

/// Chooses which states of an automaton a search tells apart between two codes. The few that a sample of the
/// text is in most often have a group each. Another state joins the group in which it costs least, or stays
/// cold if that costs less. What costs is a code after which the search no longer knows that no window has
/// ended: it leaves the groups, or the states of its group lead to different ones.
class HotGroups {
public:
  /// `automaton` and `sample` outlive the object.
  HotGroups(const codes::WordsAutomaton& automaton, std::span<const SampledCode> sample)
      : automaton_(automaton), sample_(sample), group_of_(automaton.size(), cold_group) {
    put(0, 0);
    const std::vector<std::size_t> visits = visits_of_states();
    std::vector<std::size_t> states;
    for (std::size_t state = 1; state < automaton.size(); ++state) states.push_back(state);
    std::ranges::stable_sort(states,
                             [&](std::size_t one, std::size_t other) { return visits[one] > visits[other]; });
    for (std::size_t i = 0; i < states.size(); ++i) {
      if (i + 1 < hot_groups) {
        put(states[i], i + 1);
      } else if (visits[states[i]] != 0 && i < most_joining) {
        join_best(states[i]);
      }
    }
  }

  /// By state: its group, or cold_group.
  std::span<const std::uint8_t> groups() const { return group_of_; }

private:
  // States that may join others: trying takes time.
  static constexpr std::size_t most_joining = 28;

  void put(std::size_t state, std::size_t group) {
    group_of_[state] = static_cast<std::uint8_t>(group);
    members_.at(group).push_back(state);
  }

  void take_out(std::size_t state) {
    members_.at(group_of_[state]).pop_back();
    group_of_[state] = cold_group;
  }

  // How often the sample is in each state after a code.
  std::vector<std::size_t> visits_of_states() const {
    std::vector<std::size_t> visits(automaton_.size());
    std::size_t state = 0;
    for (const SampledCode& code : sample_) {
      state = after(state, code);
      if (state == automaton_.size()) state = 0;
      ++visits[state];
    }
    return visits;
  }

  void join_best(std::size_t state) {
    std::size_t least = codes_that_cost();
    std::size_t best = cold_group;
    for (std::size_t group = 0; group < hot_groups; ++group) {
      put(state, group);
      const std::size_t cost = codes_that_cost();
      take_out(state);
      if (cost >= least) continue;
      least = cost;
      best = group;
    }
    if (best != cold_group) put(state, best);
  }

  // automaton_.size() where a window ends.
  std::size_t after(std::size_t state, const SampledCode& code) const {
    for (std::uint32_t i = 0; i < code.length && state != automaton_.size(); ++i) {
      state = automaton_.next(state, static_cast<std::uint8_t>(code.symbol >> (8 * i)));
    }
    return state;
  }

  std::size_t group_after(std::size_t group, const SampledCode& code) const {
    std::optional<std::size_t> target;
    for (const std::size_t state : members_.at(group)) {
      const std::size_t next = after(state, code);
      if (next == automaton_.size()) return cold_group;
      if (target && *target != group_of_[next]) return cold_group;
      target = group_of_[next];
    }
    return *target;
  }

  std::size_t codes_that_cost() const {
    std::size_t cost = 0;
    std::size_t group = 0;
    for (const SampledCode& code : sample_) {
      group = group_after(group, code);
      if (group != cold_group) continue;
      ++cost;
      group = 0;
    }
    return cost;
  }

  const codes::WordsAutomaton& automaton_;
  std::span<const SampledCode> sample_;
  std::vector<std::uint8_t> group_of_;
  std::array<std::vector<std::size_t>, hot_groups> members_;
};

}  // namespace gsst::search::kernels
