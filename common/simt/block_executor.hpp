#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "common/simt/access_observer.hpp"
#include "common/simt/dimensions.hpp"
#include "common/simt/executor.hpp"
#include "common/simt/fiber.hpp"

namespace gsst::simt {

enum class WarpOperation : std::uint8_t { synchronize, shuffle, ballot, match };

/// What a thread waits for.
struct Waiting {
  enum class Kind : std::uint8_t {
    nothing,
    /// Its next turn.
    turn,
    /// A change of a word that threads access atomically: it has read the same word before, and none has
    /// changed since.
    change,
    block_barrier,
    warp
  } kind = Kind::nothing;
  Place place{};
  WarpOperation operation{};
  std::uint32_t mask = 0;
  std::uint64_t value = 0;
  unsigned source_lane = 0;
};

/// Numbers that follow from a seed.
class RandomNumbers {
public:
  explicit RandomNumbers(std::uint64_t seed) : state_(seed) {}

  /// 0 to `limit` - 1.
  std::size_t below(std::size_t limit) {
    state_ = state_ * 6364136223846793005 + 1442695040888963407;
    return (state_ >> 33) % limit;
  }

private:
  std::uint64_t state_;
};

/// What the blocks of a grid have in common while it runs.
struct GridState {
  const Launch& launch;
  const std::function<void()>& thread_body;
  AccessObserver& observer;
  /// How many blocks are resident at once.
  unsigned slots;
  /// How often an atomic access has changed a word.
  std::uint64_t changes = 0;
  /// How often all threads that wait for a change were woken in vain since something last went on.
  unsigned vain_rounds = 0;
};

class SharedMemory;

/// Runs blocks of a grid, one after the other. Several of these run blocks side by side, in turns.
class BlockExecutor {
public:
  /// `slot` is its number among those of the grid.
  BlockExecutor(GridState& grid, unsigned slot);
  ~BlockExecutor();
  BlockExecutor(const BlockExecutor&) = delete;
  BlockExecutor& operator=(const BlockExecutor&) = delete;

  /// Starts block number `block` of the grid. The one before must have ended.
  void start(unsigned block);
  bool has_ended() const { return threads_left_ == 0; }
  /// Whether a thread can go on: it waits for nothing, or a word has changed since it began to wait for that.
  bool can_run() const;
  /// Lets threads go on that wait for a change, even if there was none.
  void wake();
  /// Runs some threads that can go on, each to where it waits next: all of them with order seed 0. Throws
  /// what a thread threw, and KernelError.
  void take_turn();

  /// The first thread that waits for a change, and the first that waits for other threads of its block: "" if
  /// there is none.
  std::string describe_thread_that_waits_for_a_change() const;
  std::string describe_thread_at_a_barrier() const;

  /// What the running thread does, in the kernel's words, where AddressSanitizer has found that it accesses
  /// `bytes` bytes at `address` by the instruction before `code`.
  std::string describe_wrong_access(const void* address, std::size_t bytes, bool is_write,
                                    const void* code) const;

  // The rest is called by the running thread.

  const ThreadIndices& indices() const { return current_->indices; }
  unsigned lane() const { return current_->lane; }
  std::uint8_t* shared_memory() { return shared_; }

  /// Stops the thread until `waiting` is over. Returns the warp operation's result.
  std::uint64_t wait(const Waiting& waiting);
  /// Lets other threads run first, or not: the order seed decides. Never with order seed 0.
  void give_way_by_seed();
  /// The thread has read `value` at `address`: stops it until a word changes if it has read this one before
  /// and none has changed since.
  void has_read(const void* address, std::uint64_t value, Place place);
  /// The thread has changed a word.
  void has_changed();
  /// The thread does not come back.
  [[noreturn]] void stop(const std::string& problem);

private:
  using Lanes = std::uint32_t;

  struct Thread {
    Fiber fiber;
    ThreadIndices indices;
    unsigned lane = 0;
    Waiting waiting;
    std::uint64_t result = 0;
    bool done = false;
    bool stopped = false;
    /// The words that it has read since GridState::changes became `read_at`.
    std::unordered_set<const void*> words_read;
    std::uint64_t read_at = 0;
  };

  void run_threads();
  void look_for_races();
  void release_warps();
  void release_groups_of_warp(unsigned first_lane);
  void release_block_barrier();
  void complete(unsigned first_lane, Lanes group, const Waiting& operation);
  void make_ready(unsigned index);
  void shuffle_ready_threads();

  GridState& grid_;
  unsigned slot_;
  std::vector<Thread> threads_;
  /// The numbers of the threads that wait for nothing.
  std::vector<unsigned> ready_;
  /// Those of them that take part in the turn that runs.
  std::vector<unsigned> turn_;
  /// The numbers of the threads that wait for a change, the first of them since `parked_at_` changes.
  std::vector<unsigned> parked_;
  std::uint64_t parked_at_ = 0;
  /// Of each warp, whether one of its threads has run since its groups were last looked at.
  std::vector<char> warp_has_run_;
  std::size_t threads_left_ = 0;
  std::unique_ptr<SharedMemory> shared_memory_;
  /// Launch::shared_bytes bytes.
  std::uint8_t* shared_;
  Thread* current_ = nullptr;
  RandomNumbers random_{0};
  std::exception_ptr failure_;
};

}  // namespace gsst::simt
