#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <queue>

namespace gsst::experiments {

/// The batches that are under way between the thread that starts them and the one that finishes them: each
/// has one of a number of slots.
class BatchQueue {
public:
  /// Blocks of the ring.
  struct Batch {
    std::uint64_t first;
    std::uint64_t count;
  };

  explicit BatchQueue(unsigned slots) : free_slots_(slots) {}

  /// The starting thread: waits for a free slot. Returns false, at once, where the queue is closed.
  bool wait_for_slot();
  /// The starting thread: a batch has been started in the slot that was waited for.
  void put(Batch batch);

  /// The finishing thread: waits for the oldest batch. Nothing where the queue is closed and empty.
  std::optional<Batch> take();
  /// The finishing thread: the slot of the oldest batch that was taken is free.
  void free_slot();

  /// No batch follows. Either thread, when it ends, however it ends: the other one does not wait for it.
  void close();

private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::queue<Batch> batches_;
  unsigned free_slots_;
  bool is_closed_ = false;
};

/// Closes a queue when it goes.
class ClosingQueue {
public:
  explicit ClosingQueue(BatchQueue& queue) : queue_(queue) {}
  ClosingQueue(const ClosingQueue&) = delete;
  ClosingQueue& operator=(const ClosingQueue&) = delete;
  ~ClosingQueue() { queue_.close(); }

private:
  BatchQueue& queue_;
};

}  // namespace gsst::experiments
