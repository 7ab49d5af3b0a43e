#include "common/simt/warp_accesses.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <utility>

namespace gsst::simt {
namespace {

// Sorts the values, and moves the different ones to the front; returns how many they are.
std::size_t move_different_to_front(std::span<std::uintptr_t> values) {
  std::ranges::sort(values);
  return static_cast<std::size_t>(std::distance(values.begin(), std::unique(values.begin(), values.end())));
}

// Passes over the banks for lanes that are served together; of the words that they access, those of one bank
// need a pass each.
std::size_t passes_of(std::span<const std::uintptr_t> addresses, std::size_t bytes, bool is_atomic) {
  std::array<std::uintptr_t, warp_lanes * widest_access_bytes / bank_bytes> storage{};
  std::size_t count = 0;
  for (const std::uintptr_t address : addresses) {
    const std::uintptr_t end = (address + bytes + bank_bytes - 1) / bank_bytes;
    for (std::uintptr_t word = address / bank_bytes; word < end; ++word) storage[count++] = word;
  }
  const std::span<std::uintptr_t> words(storage.data(), count);
  const std::size_t different = is_atomic ? count : move_different_to_front(words);
  std::array<std::size_t, bank_count> of_bank{};
  for (const std::uintptr_t word : words.first(different)) ++of_bank[word % bank_count];
  return *std::ranges::max_element(of_bank);
}

constexpr std::uint32_t all_lanes = 0xffffffff;

// The numbers of the lanes in a mask, in rising order, for a loop.
class LaneNumbers {
public:
  class Iterator {
  public:
    explicit Iterator(std::uint32_t left) : left_(left) {}
    unsigned operator*() const { return static_cast<unsigned>(std::countr_zero(left_)); }
    Iterator& operator++() {
      left_ &= left_ - 1;
      return *this;
    }
    bool operator==(const Iterator&) const = default;

  private:
    std::uint32_t left_;
  };

  explicit LaneNumbers(std::uint32_t mask) : mask_(mask) {}
  Iterator begin() const { return Iterator(mask_); }
  Iterator end() const { return Iterator(0); }

private:
  std::uint32_t mask_;
};

LaneNumbers lanes_in(std::uint32_t mask) {
  return LaneNumbers(mask);
}

std::size_t sectors_of(std::span<const std::uintptr_t> addresses) {
  std::array<std::uintptr_t, warp_lanes> sectors{};
  std::ranges::transform(addresses, sectors.begin(),
                         [](std::uintptr_t address) { return address / sector_bytes; });
  return move_different_to_front(std::span(sectors).first(addresses.size()));
}

// How many pieces of this size the bytes touch.
std::size_t pieces_of(std::uintptr_t address, std::size_t bytes, std::size_t piece) {
  return (address + bytes - 1) / piece - address / piece + 1;
}

AccessCounts count_copies(AccessClass access_class, std::span<const std::uintptr_t> addresses,
                          std::size_t bytes) {
  AccessCounts counts{.requests = 1, .lanes = addresses.size(), .bytes = addresses.size() * bytes};
  for (const std::uintptr_t address : addresses) {
    if (is_shared(access_class)) {
      counts.passes += pieces_of(address, bytes, bank_count * bank_bytes);
    } else {
      counts.sectors += pieces_of(address, bytes, sector_bytes);
    }
  }
  counts.passes_without_conflicts = counts.passes;
  return counts;
}

}  // namespace

AccessCounts& AccessCounts::operator+=(const AccessCounts& other) {
  requests += other.requests;
  lanes += other.lanes;
  bytes += other.bytes;
  sectors += other.sectors;
  passes += other.passes;
  passes_without_conflicts += other.passes_without_conflicts;
  return *this;
}

AccessCounts count_request(AccessClass access_class, std::span<const std::uintptr_t> addresses,
                           std::size_t bytes) {
  if (bytes > widest_access_bytes) return count_copies(access_class, addresses, bytes);
  AccessCounts counts{.requests = 1, .lanes = addresses.size(), .bytes = addresses.size() * bytes};
  if (!is_shared(access_class)) {
    counts.sectors = sectors_of(addresses);
    return counts;
  }
  const std::size_t served_together = warp_lanes * bank_bytes / std::max(bytes, bank_bytes);
  for (std::size_t first = 0; first < addresses.size(); first += served_together) {
    const auto served = addresses.subspan(first, std::min(served_together, addresses.size() - first));
    counts.passes += passes_of(served, bytes, access_class == AccessClass::shared_atomic);
    ++counts.passes_without_conflicts;
  }
  return counts;
}

AccessCounts count_request(const WarpRequest& request) {
  std::array<std::uintptr_t, warp_lanes> addresses{};
  std::size_t count = 0;
  for (const unsigned lane : lanes_in(request.lanes)) addresses[count++] = request.addresses[lane];
  return count_request(request.access_class, std::span(addresses).first(count), request.bytes);
}

void WarpAccesses::add(unsigned lane, AccessClass access_class, std::uintptr_t address, std::size_t bytes,
                       const void* code) {
  while (bytes != 0) {
    // The lowest bit that is set in either is what the address allows.
    const auto aligned = static_cast<std::size_t>(address & -address);
    std::size_t width = std::min(std::bit_floor(bytes), widest_access_bytes);
    if (aligned != 0) width = std::min(width, aligned);
    add_copy(lane, access_class, address, width, code);
    address += width;
    bytes -= width;
  }
}

void WarpAccesses::add_copy(unsigned lane, AccessClass access_class, std::uintptr_t address,
                            std::size_t bytes, const void* code) {
  lanes_[lane].push_back({.code = code,
                          .address = address,
                          .bytes = static_cast<std::uint32_t>(bytes),
                          .access_class = access_class});
  last_access_[lane] = lanes_[lane].size();
  ++size_;
}

void WarpAccesses::enter(unsigned lane, const void* code) {
  lanes_[lane].push_back({.code = code, .address = 0, .bytes = 0, .access_class = AccessClass::global_load});
  ++size_;
}

bool WarpAccesses::make_atomic(unsigned lane, std::uintptr_t address, AccessClass access_class) {
  if (last_access_[lane] == 0) return false;
  Event& last = lanes_[lane][last_access_[lane] - 1];
  const bool is_load =
      last.access_class == AccessClass::global_load || last.access_class == AccessClass::shared_load;
  if (!is_load || last.address != address) return false;
  last.access_class = access_class;
  return true;
}

void WarpAccesses::converge(std::uint32_t lanes) {
  for (unsigned lane = 0; lane < warp_lanes; ++lane) {
    if ((lanes >> lane & 1) == 0) continue;
    lanes_[lane].push_back(
        {.code = nullptr, .address = lanes, .bytes = 0, .access_class = AccessClass::global_load});
    last_access_[lane] = 0;
  }
}

void WarpAccesses::count(CountsByCode& counts) {
  Positions next{};
  while (true) {
    const Positions ends = ends_of_ways(next);
    count_ways(next, ends, counts);
    next = ends;
    const Lanes lanes = lanes_that_come_together(next);
    if (lanes == 0) break;
    for (const unsigned lane : lanes_in(lanes)) ++next[lane];
  }
  for (std::vector<Event>& events : lanes_) events.clear();
  last_access_ = {};
  size_ = 0;
}

WarpAccesses::Positions WarpAccesses::ends_of_ways(const Positions& next) const {
  Positions ends{};
  for (const unsigned lane : lanes_in(all_lanes)) {
    ends[lane] = next[lane];
    while (ends[lane] < lanes_[lane].size() && lanes_[lane][ends[lane]].code != nullptr) ++ends[lane];
  }
  return ends;
}

bool WarpAccesses::go_the_same_way(const Positions& next, const Positions& ends) const {
  const std::vector<Event>* way = nullptr;
  std::size_t begin = 0;
  std::size_t steps = 0;
  for (const unsigned lane : lanes_in(all_lanes)) {
    if (next[lane] == ends[lane]) continue;
    if (way == nullptr) {
      way = &lanes_[lane];
      begin = next[lane];
      steps = ends[lane] - begin;
      continue;
    }
    if (ends[lane] - next[lane] != steps) return false;
    for (std::size_t step = 0; step < steps; ++step) {
      if (lanes_[lane][next[lane] + step].code != (*way)[begin + step].code) return false;
    }
  }
  return true;
}

void WarpAccesses::count_ways(const Positions& next, const Positions& ends, CountsByCode& counts) {
  Lanes lanes = 0;
  for (const unsigned lane : lanes_in(all_lanes)) lanes |= Lanes{next[lane] != ends[lane]} << lane;
  if (lanes == 0) return;
  Positions at = next;
  if (go_the_same_way(next, ends)) {
    const auto first = static_cast<unsigned>(std::countr_zero(lanes));
    for (std::size_t steps = ends[first] - next[first]; steps != 0; --steps) {
      count_step(lanes, at, counts);
      for (const unsigned lane : lanes_in(lanes)) ++at[lane];
    }
    return;
  }
  follow_flow(next, ends);
  const std::vector<ObservedFlow::Node> meetings = flow_.immediate_post_dominators();
  const auto node_of = [&](unsigned lane) {
    return at[lane] == ends[lane] ? ObservedFlow::exit : ways_[lane][at[lane] - next[lane]];
  };
  // Lanes on one way, the node before which they wait for the others, and the last that they went through.
  struct Group {
    Lanes lanes;
    ObservedFlow::Node meeting;
    ObservedFlow::Node last;
  };
  std::vector<Group> groups = {{.lanes = lanes, .meeting = ObservedFlow::exit, .last = ObservedFlow::entry}};
  while (!groups.empty()) {
    Group& group = groups.back();
    for (const unsigned lane : lanes_in(group.lanes)) {
      const ObservedFlow::Node node = node_of(lane);
      if (node == group.meeting || node == ObservedFlow::exit) group.lanes &= ~(Lanes{1} << lane);
    }
    if (group.lanes == 0) {
      groups.pop_back();
      continue;
    }
    const auto first = static_cast<unsigned>(std::countr_zero(group.lanes));
    const ObservedFlow::Node node = node_of(first);
    const auto are_at = [&](Lanes of, ObservedFlow::Node wanted) {
      Lanes found = 0;
      for (const unsigned lane : lanes_in(of)) found |= Lanes{node_of(lane) == wanted} << lane;
      return found;
    };
    if (are_at(group.lanes, node) == group.lanes) {
      count_step(group.lanes, at, counts);
      for (const unsigned lane : lanes_in(group.lanes)) ++at[lane];
      group.last = node;
      continue;
    }
    // They go different ways, one after the other.
    const ObservedFlow::Node last = group.last;
    const ObservedFlow::Node meeting = meetings[last];
    Lanes left = group.lanes & ~are_at(group.lanes, meeting);
    while (left != 0) {
      const Lanes together = are_at(left, node_of(static_cast<unsigned>(std::countr_zero(left))));
      groups.push_back({.lanes = together, .meeting = meeting, .last = last});
      left &= ~together;
    }
  }
}

void WarpAccesses::follow_flow(const Positions& next, const Positions& ends) {
  flow_.clear();
  for (const unsigned lane : lanes_in(all_lanes)) {
    std::vector<ObservedFlow::Node>& way = ways_[lane];
    way.clear();
    if (next[lane] == ends[lane]) continue;
    ObservedFlow::Node last = ObservedFlow::entry;
    for (std::size_t i = next[lane]; i < ends[lane]; ++i) {
      way.push_back(flow_.node_of(lanes_[lane][i].code));
      flow_.add_step(std::exchange(last, way.back()), way.back());
    }
    flow_.add_step(last, ObservedFlow::exit);
  }
}

void WarpAccesses::count_step(Lanes lanes, const Positions& at, CountsByCode& counts) const {
  std::array<std::uintptr_t, warp_lanes> addresses{};
  while (lanes != 0) {
    const auto first = static_cast<unsigned>(std::countr_zero(lanes));
    const Event& event = lanes_[first][at[first]];
    if (event.bytes == 0) return;
    std::size_t count = 0;
    Lanes counted = 0;
    for (const unsigned lane : lanes_in(lanes)) {
      const Event& other = lanes_[lane][at[lane]];
      if (other.access_class != event.access_class || other.bytes != event.bytes) continue;
      addresses[count++] = other.address;
      counted |= Lanes{1} << lane;
    }
    lanes &= ~counted;
    if (log_ != nullptr && log_->requests.size() < log_->most) log_request(counted, at);
    counts[{event.code, event.access_class}] +=
        count_request(event.access_class, std::span(addresses).first(count), event.bytes);
  }
}

void WarpAccesses::log_request(Lanes lanes, const Positions& at) const {
  const auto first = static_cast<unsigned>(std::countr_zero(lanes));
  const Event& event = lanes_[first][at[first]];
  WarpRequest& request = log_->requests.emplace_back(WarpRequest{
      .code = event.code, .access_class = event.access_class, .bytes = event.bytes, .lanes = lanes});
  for (const unsigned lane : lanes_in(lanes)) request.addresses[lane] = lanes_[lane][at[lane]].address;
}

WarpAccesses::Lanes WarpAccesses::lanes_that_come_together(const Positions& next) const {
  Lanes waiting = 0;
  for (const unsigned lane : lanes_in(all_lanes)) waiting |= Lanes{next[lane] < lanes_[lane].size()} << lane;
  Lanes together = 0;
  for (const unsigned first : lanes_in(waiting)) {
    const auto wanted = static_cast<Lanes>(lanes_[first][next[first]].address);
    bool all = (wanted & waiting) == wanted;
    for (const unsigned lane : lanes_in(wanted & waiting)) {
      all = all && lanes_[lane][next[lane]].address == wanted;
    }
    if (all) together |= wanted;
  }
  // Without any, those that have been counted ahead of others, of which there were too many, go on.
  return together != 0 ? together : waiting;
}

}  // namespace gsst::simt
