#include "common/pipeline/host_checksums.hpp"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "common/frame/checksum.hpp"
#include "common/stage/block_statuses.hpp"

namespace gsst::pipeline {
namespace {

// One thread compares some 10 GB/s: eight are as fast as the copies from a GPU over PCIe 5.
constexpr std::size_t most_threads = 8;

bool has_wrong_checksum(const format::IndexEntry& entry, const std::uint8_t* output) {
  const std::span<const std::uint8_t> block(output + entry.uncompressed_offset,
                                            entry.record.uncompressed_bytes);
  return format::checksum(entry.record.checksum_kind, block) != entry.record.checksum;
}

// The first block of the batch whose checksum differs; the number of its blocks if none does.
std::size_t first_wrong_block(const Batch& batch, const std::uint8_t* output) {
  const std::vector<format::IndexEntry>& entries = batch.index.entries;
  std::atomic<std::size_t> next = 0;
  std::atomic<std::size_t> wrong = entries.size();
  const auto compare = [&] {
    for (std::size_t i = next++; i < entries.size(); i = next++) {
      if (!has_wrong_checksum(entries[i], output)) continue;
      std::size_t first = wrong;
      while (i < first && !wrong.compare_exchange_weak(first, i)) {
      }
    }
  };
  const std::size_t processors = std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::jthread> threads;
  for (std::size_t i = 1; i < std::min({most_threads, processors, entries.size()}); ++i) {
    threads.emplace_back(compare);
  }
  compare();
  threads.clear();
  return wrong;
}

}  // namespace

void HostChecksums::enqueue(const Batch& batch, const std::uint8_t* output, Queue& queue) {
  work_ = [this, &batch, output] {
    try {
      const std::size_t block = first_wrong_block(batch, output);
      if (block < batch.index.entries.size()) wrong_block_ = batch.first_block + block;
    } catch (...) {
      // A function in a queue must not throw.
      failure_ = std::current_exception();
    }
  };
  queue.call(work_);
}

void HostChecksums::check() const {
  if (failure_) std::rethrow_exception(failure_);
  if (!wrong_block_) return;
  stage::throw_problem({.problem = stage::problem_of_checksum(*wrong_block_)});
}

}  // namespace gsst::pipeline
