#include "common/simt/warp_accesses.hpp"

#include <algorithm>
#include <bit>
#include <ranges>
#include <tuple>

namespace gsst::simt {
namespace {

// The different ones of `values`, which it sorts.
std::size_t count_different(std::span<std::uintptr_t> values) {
  std::ranges::sort(values);
  return values.size() - std::ranges::unique(values).size();
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
  std::ranges::sort(words);
  const std::size_t different = is_atomic ? count : count - std::ranges::unique(words).size();
  std::array<std::size_t, bank_count> of_bank{};
  for (const std::uintptr_t word : words.first(different)) ++of_bank[word % bank_count];
  return *std::ranges::max_element(of_bank);
}

constexpr auto lane_numbers() {
  return std::views::iota(0u, warp_lanes);
}

std::size_t sectors_of(std::span<const std::uintptr_t> addresses) {
  std::array<std::uintptr_t, warp_lanes> sectors{};
  std::ranges::transform(addresses, sectors.begin(),
                         [](std::uintptr_t address) { return address / sector_bytes; });
  return count_different(std::span(sectors).first(addresses.size()));
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

void WarpAccesses::add(unsigned lane, AccessClass access_class, std::uintptr_t address, std::size_t bytes,
                       const void* code) {
  while (bytes != 0) {
    // The lowest bit that is set in either is what the address allows.
    const auto aligned = static_cast<std::size_t>(address & -address);
    std::size_t width = std::min(std::bit_floor(bytes), widest_access_bytes);
    if (aligned != 0) width = std::min(width, aligned);
    lanes_[lane].push_back({.code = code,
                            .address = address,
                            .bytes = static_cast<std::uint8_t>(width),
                            .access_class = access_class});
    ++size_;
    address += width;
    bytes -= width;
  }
}

bool WarpAccesses::make_atomic(unsigned lane, std::uintptr_t address, AccessClass access_class) {
  std::vector<Access>& accesses = lanes_[lane];
  if (accesses.empty()) return false;
  Access& last = accesses.back();
  const bool is_load =
      last.access_class == AccessClass::global_load || last.access_class == AccessClass::shared_load;
  if (last.code == nullptr || !is_load || last.address != address) return false;
  last.access_class = access_class;
  return true;
}

void WarpAccesses::converge(std::uint32_t lanes) {
  for (unsigned lane = 0; lane < warp_lanes; ++lane) {
    if ((lanes >> lane & 1) == 0) continue;
    lanes_[lane].push_back(
        {.code = nullptr, .address = lanes, .bytes = 0, .access_class = AccessClass::global_load});
  }
}

void WarpAccesses::count(CountsByCode& counts) {
  std::array<std::size_t, warp_lanes> next{};
  while (true) {
    std::uint32_t lanes = lanes_that_come_together(next);
    if (lanes == 0) lanes = count_lowest(next, counts);
    if (lanes == 0) break;
    for (; lanes != 0; lanes &= lanes - 1) ++next[static_cast<unsigned>(std::countr_zero(lanes))];
  }
  for (std::vector<Access>& accesses : lanes_) accesses.clear();
  size_ = 0;
}

std::uint32_t WarpAccesses::lanes_that_come_together(const Positions& next) const {
  std::uint32_t waiting = 0;
  for (unsigned lane = 0; lane < warp_lanes; ++lane) {
    if (next[lane] < lanes_[lane].size() && lanes_[lane][next[lane]].code == nullptr) {
      waiting |= std::uint32_t{1} << lane;
    }
  }
  for (std::uint32_t left = waiting; left != 0; left &= left - 1) {
    const auto first = static_cast<unsigned>(std::countr_zero(left));
    const auto wanted = static_cast<std::uint32_t>(lanes_[first][next[first]].address);
    const bool all = (wanted & waiting) == wanted && std::ranges::all_of(lane_numbers(), [&](unsigned lane) {
                       return (wanted >> lane & 1) == 0 || lanes_[lane][next[lane]].address == wanted;
                     });
    if (all) return wanted;
  }
  return 0;
}

std::uint32_t WarpAccesses::count_lowest(const Positions& next, CountsByCode& counts) const {
  const auto key = [](const Access& access) {
    return std::tuple(access.code, access.access_class, access.bytes);
  };
  std::array<std::uintptr_t, warp_lanes> addresses{};
  const Access* lowest = nullptr;
  std::size_t count = 0;
  std::uint32_t lanes = 0;
  for (unsigned lane = 0; lane < warp_lanes; ++lane) {
    if (next[lane] == lanes_[lane].size()) continue;
    const Access& access = lanes_[lane][next[lane]];
    if (access.code == nullptr) continue;
    if (lowest == nullptr || key(access) < key(*lowest)) {
      lowest = &access;
      count = 0;
      lanes = 0;
    }
    if (key(access) == key(*lowest)) {
      addresses[count++] = access.address;
      lanes |= std::uint32_t{1} << lane;
    }
  }
  if (lowest == nullptr) return 0;
  counts[{lowest->code, lowest->access_class}] +=
      count_request(lowest->access_class, std::span(addresses).first(count), lowest->bytes);
  return lanes;
}

}  // namespace gsst::simt
