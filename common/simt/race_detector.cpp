#include "common/simt/race_detector.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "common/simt/dimensions.hpp"
#include "common/simt/source_line.hpp"

namespace gsst::simt {
namespace {

constexpr unsigned warp_lanes = 32;

struct Access {
  // Where the instruction that follows it stands.
  const void* code = nullptr;
  unsigned block = 0;
  // Barriers of the block before it.
  unsigned interval = 0;
  // The thread's own count in its warp's clocks.
  unsigned warp_clock = 0;
  std::uint16_t thread = 0;
  AccessKind kind = AccessKind::read;

  bool operator==(const Access&) const = default;
};

// The accesses of a launch, which the bytes' histories know by their numbers: the same of all bytes that an
// instruction accesses, and mostly of all that it accesses between two barriers.
class Accesses {
public:
  using Number = std::uint32_t;

  Number number_of(const Access& access) {
    Number& recent = recent_[reinterpret_cast<std::uintptr_t>(access.code) % recent_.size()];
    if (recent >= accesses_.size() || accesses_[recent] != access) {
      recent = static_cast<Number>(accesses_.size());
      accesses_.push_back(access);
    }
    return recent;
  }

  const Access& operator[](Number number) const { return accesses_[number]; }

private:
  std::vector<Access> accesses_;
  std::array<Number, 256> recent_{};
};

bool in_same_step(const Access& left, const Access& right) {
  return left.thread == right.thread && left.kind == right.kind && left.interval == right.interval &&
         left.warp_clock == right.warp_clock && left.block == right.block;
}

bool can_conflict(AccessKind left, AccessKind right) {
  const bool both_read = left == AccessKind::read && right == AccessKind::read;
  const bool both_atomic = left == AccessKind::atomic && right == AccessKind::atomic;
  return !both_read && !both_atomic;
}

// Whether all that conflicts with an access of kind `earlier` conflicts with one of kind `later` too.
bool replaces(AccessKind later, AccessKind earlier) {
  return later == AccessKind::write || later == earlier;
}

// The accesses to one byte that a later one may conflict with. Of more than four readers without a barrier
// between them four are kept: a later write conflicts with one of these, unless it is ordered after just
// them.
struct ByteHistory {
  std::array<Accesses::Number, 4> accesses{};
  // The block that wrote it, counted from 1; 0 if nobody has. For shared memory, where a block's history ends
  // with it.
  unsigned writing_block = 0;
  unsigned last_block = 0;
  std::uint8_t count = 0;

  bool operator==(const ByteHistory&) const = default;
};

struct Problem {
  Access access;
  // Empty for a read of what nobody wrote.
  std::optional<Access> earlier;
  // Offset in shared memory, or empty.
  std::optional<std::size_t> shared_byte;
};

// Histories of global memory. Most accesses are to the page of the one before.
class GlobalHistories {
public:
  ByteHistory& at(std::uintptr_t address) { return page(address / page_bytes)[address % page_bytes]; }

  void forget(std::uintptr_t address, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; ++i) {
      const auto found = pages_.find((address + i) / page_bytes);
      if (found != pages_.end()) (*found->second)[(address + i) % page_bytes] = {};
    }
  }

private:
  static constexpr std::size_t page_bytes = 256;
  using Page = std::array<ByteHistory, page_bytes>;

  Page& page(std::uintptr_t number) {
    if (last_ == nullptr || number != last_number_) {
      std::unique_ptr<Page>& page = pages_[number];
      if (!page) page = std::make_unique<Page>();
      last_ = page.get();
      last_number_ = number;
    }
    return *last_;
  }

  std::unordered_map<std::uintptr_t, std::unique_ptr<Page>> pages_;
  Page* last_ = nullptr;
  std::uintptr_t last_number_ = 0;
};

const char* verb(AccessKind kind) {
  switch (kind) {
    case AccessKind::read:
      return "reads";
    case AccessKind::write:
      return "writes";
    case AccessKind::atomic:
      return "atomically changes";
  }
  return "";
}

}  // namespace

struct RaceDetector::Implementation {
  Implementation(const Launch& of_launch, const std::uint8_t* shared_memory)
      : launch(of_launch),
        shared(shared_memory),
        shared_histories(of_launch.shared_bytes),
        clocks(volume(of_launch.block)),
        stack_tops(volume(of_launch.block)) {}

  void record(const std::uint8_t* address, std::size_t bytes, AccessKind kind, const void* code);
  bool begin_shared(ByteHistory& history, AccessKind kind) const;
  std::optional<Access> record_byte(ByteHistory& history, Accesses::Number number) const;
  bool is_ordered(const Access& earlier, const Access& now) const;
  std::string describe(const Access& access) const;

  const Launch& launch;
  const std::uint8_t* shared;
  Accesses accesses;
  std::vector<ByteHistory> shared_histories;
  GlobalHistories global_histories;
  // A vector clock for each thread, over the lanes of its warp: how far it knows each lane to be.
  std::vector<std::array<unsigned, warp_lanes>> clocks;
  std::vector<const void*> stack_tops;
  unsigned block = 0;
  unsigned interval = 0;
  unsigned thread = 0;
  std::optional<Problem> problem;
};

namespace {

// The detector of the kernel that runs, while one of its threads does.
thread_local RaceDetector* running_detector = nullptr;

}  // namespace

RaceDetector::RaceDetector(const Launch& launch, const std::uint8_t* shared)
    : implementation_(std::make_unique<Implementation>(launch, shared)) {
  for (unsigned thread = 0; thread < implementation_->clocks.size(); ++thread) {
    implementation_->clocks[thread][thread % warp_lanes] = 1;
  }
}

RaceDetector::~RaceDetector() = default;

void RaceDetector::start_block(unsigned block) {
  implementation_->block = block;
  implementation_->interval = 0;
}

void RaceDetector::start_thread(const void* stack_top) {
  implementation_->stack_tops[implementation_->thread] = stack_top;
}

void RaceDetector::enter_thread(unsigned thread) {
  implementation_->thread = thread;
  running_detector = this;
}

void RaceDetector::leave_thread() {
  running_detector = nullptr;
}

void RaceDetector::synchronize_block() {
  ++implementation_->interval;
}

void RaceDetector::synchronize_warp(unsigned first_lane, std::uint32_t mask) {
  auto& clocks = implementation_->clocks;
  const auto for_each_lane = [&](auto&& function) {
    for (unsigned lane = 0; lane < warp_lanes && first_lane + lane < clocks.size(); ++lane) {
      if ((mask >> lane & 1) != 0) function(lane, clocks[first_lane + lane]);
    }
  };
  std::array<unsigned, warp_lanes> joined{};
  for_each_lane([&](unsigned /*lane*/, const auto& clock) {
    std::ranges::transform(joined, clock, joined.begin(),
                           [](unsigned left, unsigned right) { return std::max(left, right); });
  });
  for_each_lane([&](unsigned lane, auto& clock) {
    clock = joined;
    ++clock[lane];
  });
}

void RaceDetector::record(const void* address, std::size_t bytes, AccessKind kind, const void* code) {
  // What the detector itself allocates and copies is not the kernel's.
  RaceDetector* const detector = std::exchange(running_detector, nullptr);
  if (detector == nullptr) return;
  detector->implementation_->record(static_cast<const std::uint8_t*>(address), bytes, kind, code);
  running_detector = detector;
}

void RaceDetector::forget(std::uintptr_t address, std::size_t bytes) {
  if (running_detector != nullptr) {
    running_detector->implementation_->global_histories.forget(address, bytes);
  }
}

void RaceDetector::Implementation::record(const std::uint8_t* address, std::size_t bytes, AccessKind kind,
                                          const void* code) {
  if (problem) return;
  if (address >= __builtin_frame_address(0) && address < stack_tops[thread]) return;
  const Access now = {.code = code,
                      .block = block,
                      .interval = interval,
                      .warp_clock = clocks[thread][thread % warp_lanes],
                      .thread = static_cast<std::uint16_t>(thread),
                      .kind = kind};
  const Accesses::Number number = accesses.number_of(now);
  const bool is_shared = address >= shared && address < shared + shared_histories.size();
  // Bytes that an instruction accesses together mostly have the same history.
  ByteHistory before;
  ByteHistory after;
  for (std::size_t i = 0; i < bytes; ++i) {
    std::optional<std::size_t> shared_byte;
    if (is_shared && address + i < shared + shared_histories.size()) {
      shared_byte = static_cast<std::size_t>(address + i - shared);
    }
    ByteHistory& history = shared_byte ? shared_histories[*shared_byte]
                                       : global_histories.at(reinterpret_cast<std::uintptr_t>(address + i));
    if (shared_byte && !begin_shared(history, kind)) {
      problem = {.access = now, .earlier = {}, .shared_byte = shared_byte};
      return;
    }
    if (i > 0 && history == before) {
      history = after;
      continue;
    }
    before = history;
    if (const auto earlier = record_byte(history, number)) {
      problem = {.access = now, .earlier = earlier, .shared_byte = shared_byte};
      return;
    }
    after = history;
  }
}

// Returns whether a thread of the block has written the byte of shared memory, be it with this access.
bool RaceDetector::Implementation::begin_shared(ByteHistory& history, AccessKind kind) const {
  const unsigned this_block = block + 1;
  if (history.last_block != this_block) {
    history.count = 0;
    history.last_block = this_block;
  }
  if (kind == AccessKind::write) history.writing_block = this_block;
  return history.writing_block == this_block;
}

// Returns the access that conflicts with the one of this number.
std::optional<Access> RaceDetector::Implementation::record_byte(ByteHistory& history,
                                                                Accesses::Number number) const {
  const Access& now = accesses[number];
  if (history.count == 1 && in_same_step(accesses[history.accesses[0]], now)) return {};
  std::uint8_t kept = 0;
  for (std::uint8_t i = 0; i < history.count; ++i) {
    const Access& earlier = accesses[history.accesses[i]];
    const bool ordered = is_ordered(earlier, now);
    if (!ordered && can_conflict(earlier.kind, now.kind)) return earlier;
    if (ordered && replaces(now.kind, earlier.kind)) continue;
    history.accesses[kept++] = history.accesses[i];
  }
  if (kept < history.accesses.size()) history.accesses[kept++] = number;
  history.count = kept;
  return {};
}

bool RaceDetector::Implementation::is_ordered(const Access& earlier, const Access& now) const {
  if (earlier.block != now.block) return false;
  if (earlier.thread == now.thread || earlier.interval < now.interval) return true;
  if (earlier.thread / warp_lanes != now.thread / warp_lanes) return false;
  return earlier.warp_clock <= clocks[now.thread][earlier.thread % warp_lanes];
}

std::string RaceDetector::Implementation::describe(const Access& access) const {
  return "block " + to_text(unflatten(access.block, launch.grid)) + " thread " +
         to_text(unflatten(access.thread, launch.block)) + " " + verb(access.kind);
}

bool RaceDetector::has_problem() const {
  return implementation_->problem.has_value();
}

std::string RaceDetector::problem() const {
  const std::optional<Problem>& problem = implementation_->problem;
  if (!problem) return {};
  const std::string memory = problem->shared_byte
                                 ? "byte " + std::to_string(*problem->shared_byte) + " of shared memory"
                                 : "global memory";
  const std::string access =
      implementation_->describe(problem->access) + " " + memory + " at " + source_line(problem->access.code);
  if (!problem->earlier) return access + ", which no thread of the block has written";
  const bool same_block = problem->earlier->block == problem->access.block;
  return "race: " + access + "; " + implementation_->describe(*problem->earlier) + " the same byte at " +
         source_line(problem->earlier->code) +
         (same_block ? ", and no barrier is between them" : ", and nothing orders the blocks of a grid");
}

}  // namespace gsst::simt
