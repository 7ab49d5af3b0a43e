#pragma once

#include <cstddef>
#include <map>
#include <string>

namespace gsst::experiments {

/// Device memory that a program has allocated, by what for. For one thread.
class AllocationLog {
public:
  /// What allocations from now on are for; `purpose` stays so until the next call. At first it is empty.
  void set_purpose(const std::string& purpose) { purpose_ = purpose; }
  const std::string& purpose() const { return purpose_; }

  /// An allocation of `bytes` bytes at `address`, which is not null.
  void add(const void* address, std::size_t bytes);
  /// The allocation at `address` has ended. Another address is ignored: null, for example.
  void remove(const void* address);

  /// The most bytes that were allocated for `purpose` at the same time.
  std::size_t most_bytes(const std::string& purpose) const;

  /// Forgets what has ended: the most bytes of a purpose are those that are allocated now.
  void restart();

private:
  struct Allocation {
    std::string purpose;
    std::size_t bytes;
  };
  struct Bytes {
    std::size_t now = 0;
    std::size_t most = 0;
  };

  std::string purpose_;
  std::map<const void*, Allocation> allocations_;
  std::map<std::string, Bytes> bytes_;
};

/// The log of this program, which counted_allocation.cpp fills.
AllocationLog& allocation_log();

/// Names what is allocated for until the end of a scope.
class AllocationPurpose {
public:
  explicit AllocationPurpose(const std::string& purpose) : before_(allocation_log().purpose()) {
    allocation_log().set_purpose(purpose);
  }
  ~AllocationPurpose() { allocation_log().set_purpose(before_); }
  AllocationPurpose(const AllocationPurpose&) = delete;
  AllocationPurpose& operator=(const AllocationPurpose&) = delete;

private:
  std::string before_;
};

}  // namespace gsst::experiments
