#pragma once

#include <algorithm>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "stages/search/07_automaton/byte_automaton.hpp"

/// Automata that count the lines in which a regular expression matches.
namespace gsst::search::kernels {

/// A regular expression that never matches a line end, as Glushkov's automaton: a place for each set of bytes
/// that is written in it, and which places may follow each other.
class LineExpression {
public:
  /// Sets of bytes.
  using Bytes = std::bitset<256>;

  /// The text of no bytes.
  static LineExpression nothing() { return {}; }
  /// One byte of `bytes`, but no line end.
  static LineExpression one_of(Bytes bytes) {
    LineExpression expression;
    expression.bytes_ = {bytes.reset('\n')};
    expression.follow_ = {0};
    expression.first_ = 1;
    expression.last_ = 1;
    expression.may_be_empty_ = false;
    return expression;
  }
  /// Any byte but a line end.
  static LineExpression any() { return one_of(Bytes().set()); }
  /// These bytes one after the other, none of them a line end.
  static LineExpression string(std::string_view bytes) {
    LineExpression expression;
    for (const char byte : bytes) {
      expression = expression.then(one_of(Bytes().set(static_cast<std::uint8_t>(byte))));
    }
    return expression;
  }

  /// This and then `next`. Throws std::invalid_argument for more than 64 places.
  LineExpression then(const LineExpression& next) const {
    LineExpression both = beside(next);
    const std::size_t own = bytes_.size();
    both.follow_from(last_, next.first_ << own % most_places);
    both.first_ = first_ | (may_be_empty_ ? next.first_ << own % most_places : 0);
    both.last_ = next.last_ << own % most_places | (next.may_be_empty_ ? last_ : 0);
    both.may_be_empty_ = may_be_empty_ && next.may_be_empty_;
    return both;
  }
  /// This or `other`. Throws as then() does.
  LineExpression either(const LineExpression& other) const {
    LineExpression both = beside(other);
    const std::size_t own = bytes_.size();
    both.first_ = first_ | other.first_ << own % most_places;
    both.last_ = last_ | other.last_ << own % most_places;
    both.may_be_empty_ = may_be_empty_ || other.may_be_empty_;
    return both;
  }
  /// This once or more often.
  LineExpression repeated() const {
    LineExpression expression = *this;
    expression.follow_from(last_, first_);
    return expression;
  }
  /// This or nothing.
  LineExpression optional() const {
    LineExpression expression = *this;
    expression.may_be_empty_ = true;
    return expression;
  }

  /// Whether it matches the text of no bytes, and so in every line.
  bool may_be_empty() const { return may_be_empty_; }
  /// A bit for each place that a match may begin with, and that it may end with.
  std::uint64_t first() const { return first_; }
  std::uint64_t last() const { return last_; }
  /// The places that `byte` may come to, after the byte of one of `places`.
  std::uint64_t after(std::uint64_t places, std::uint8_t byte) const {
    std::uint64_t next = 0;
    for (std::size_t place = 0; place < bytes_.size(); ++place) {
      if ((places >> place & 1) != 0) next |= follow_[place];
    }
    return of_byte(next, byte);
  }
  /// Those of `places` that `byte` may be at.
  std::uint64_t of_byte(std::uint64_t places, std::uint8_t byte) const {
    std::uint64_t having = 0;
    for (std::size_t place = 0; place < bytes_.size(); ++place) {
      if (bytes_[place][byte]) having |= std::uint64_t{1} << place;
    }
    return places & having;
  }

private:
  static constexpr std::size_t most_places = 64;

  // The places of both, those of `other` behind the own ones.
  LineExpression beside(const LineExpression& other) const {
    const std::size_t own = bytes_.size();
    if (own + other.bytes_.size() > most_places) {
      throw std::invalid_argument("an expression has at most " + std::to_string(most_places) +
                                  " sets of bytes");
    }
    LineExpression both = *this;
    both.bytes_.insert(both.bytes_.end(), other.bytes_.begin(), other.bytes_.end());
    for (const std::uint64_t places : other.follow_) both.follow_.push_back(places << own % most_places);
    return both;
  }
  void follow_from(std::uint64_t from, std::uint64_t to) {
    for (std::size_t place = 0; place < follow_.size(); ++place) {
      if ((from >> place & 1) != 0) follow_[place] |= to;
    }
  }

  std::vector<Bytes> bytes_;
  std::vector<std::uint64_t> follow_;
  std::uint64_t first_ = 0;
  std::uint64_t last_ = 0;
  bool may_be_empty_ = true;
};

/// Where in a line matches may begin.
enum class LinePlace : std::uint8_t { anywhere, start };

/// Makes the automaton of a LineExpression by its sets of places, and puts states together that no text tells
/// apart: after `a` in `a.*b` all that may have begun anew is the same.
class LineAutomatonBuilder {
public:
  /// Throws std::invalid_argument where every line has a match, or the automaton is too large.
  LineAutomatonBuilder(const LineExpression& expression, LinePlace place)
      : expression_(expression), place_(place) {
    if (expression.may_be_empty()) throw std::invalid_argument("every line matches");
    add({.places = 0, .is_at_start = true, .is_done = false});
    for (std::size_t state = 0; state < sets_.size(); ++state) {
      std::vector<Step> steps;
      for (std::uint32_t byte = 0; byte < 256; ++byte) {
        steps.push_back(step(sets_[state], static_cast<std::uint8_t>(byte)));
      }
      steps_.push_back(std::move(steps));
    }
    put_together();
  }

  /// Throws std::invalid_argument for one of more than most_states states.
  ByteAutomaton automaton() const {
    const std::uint32_t count = *std::max_element(kinds_.begin(), kinds_.end()) + 1;
    if (count > most_states) {
      throw std::invalid_argument("the expression takes an automaton of " + std::to_string(count) +
                                  " states; one has at most " + std::to_string(most_states));
    }
    ByteAutomaton automaton{.state_count = count, .match_bytes = 0, .next = {}};
    for (std::size_t state = 0; state < steps_.size(); ++state) {
      for (std::size_t byte = 0; byte < 256; ++byte) {
        const Step& step = steps_[state][byte];
        automaton.next[kinds_[state]][byte] =
            static_cast<std::uint8_t>(kinds_[step.next] | (step.ends_match ? match_ends : 0));
      }
    }
    return automaton;
  }

private:
  // States before those are put together that are the same.
  static constexpr std::size_t most_sets = 2048;

  // What is known of a line up to here: the places of the bytes read last, or that it has a match.
  struct Set {
    std::uint64_t places;
    bool is_at_start;
    bool is_done;

    bool operator<(const Set& other) const {
      return std::tie(places, is_at_start, is_done) <
             std::tie(other.places, other.is_at_start, other.is_done);
    }
  };
  struct Step {
    std::uint32_t next;
    bool ends_match;
  };

  std::uint32_t add(Set set) {
    const auto [found, is_new] = numbers_.try_emplace(set, static_cast<std::uint32_t>(sets_.size()));
    if (!is_new) return found->second;
    if (sets_.size() == most_sets) throw std::invalid_argument("the expression takes too large an automaton");
    sets_.push_back(set);
    return found->second;
  }

  Step step(Set set, std::uint8_t byte) {
    if (byte == '\n') return {.next = 0, .ends_match = false};
    if (set.is_done) return {.next = add(set), .ends_match = false};
    std::uint64_t places = expression_.after(set.places, byte);
    if (place_ == LinePlace::anywhere || set.is_at_start) {
      places |= expression_.of_byte(expression_.first(), byte);
    }
    const bool ends_match = (places & expression_.last()) != 0;
    const Set next{.places = ends_match ? 0 : places, .is_at_start = false, .is_done = ends_match};
    return {.next = add(next), .ends_match = ends_match};
  }

  // Moore's algorithm: states are of one kind until a byte tells them apart. That of state 0 is 0.
  void put_together() {
    kinds_.assign(steps_.size(), 0);
    for (std::size_t count = 1;;) {
      std::map<std::vector<std::uint32_t>, std::uint32_t> numbers;
      std::vector<std::uint32_t> kinds;
      for (std::size_t state = 0; state < steps_.size(); ++state) {
        std::vector<std::uint32_t> behaviour = {kinds_[state]};
        for (const Step& step : steps_[state]) {
          behaviour.push_back(kinds_[step.next] * 2 + (step.ends_match ? 1 : 0));
        }
        const auto number = static_cast<std::uint32_t>(numbers.size());
        kinds.push_back(numbers.try_emplace(std::move(behaviour), number).first->second);
      }
      kinds_ = std::move(kinds);
      if (numbers.size() == count) return;
      count = numbers.size();
    }
  }

  const LineExpression& expression_;
  const LinePlace place_;
  std::vector<Set> sets_;
  std::map<Set, std::uint32_t> numbers_;
  std::vector<std::vector<Step>> steps_;
  // By state: which of the automaton's.
  std::vector<std::uint32_t> kinds_;
};

/// The automaton that has a row for each line with a match of `expression`: where the first of them ends that
/// ends. Lines end with a line end, the last one with the text. Throws std::invalid_argument where every line
/// has a match, and for an expression that takes too large an automaton.
inline ByteAutomaton automaton_of_lines(const LineExpression& expression,
                                        LinePlace place = LinePlace::anywhere) {
  return LineAutomatonBuilder(expression, place).automaton();
}

}  // namespace gsst::search::kernels
