#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

/// What the host does with every stage, whatever it does and wherever it runs: give it memory, enqueue it,
/// and read what it reports.
namespace gsst::stage {

/// A cudaStream_t for Executor::gpu, which may be nullptr for the default stream; nullptr for the others,
/// which have done their work when a call returns.
using Stream = void*;

/// What a part of a plan's memory is for.
enum class Role {
  /// Is read, never written.
  input,
  /// What the plan is for; written where no problem is reported.
  output,
  /// Numbers that the host reads with Plan::check(), such as the bytes of the output.
  result,
  /// Filled by Plan::prepare() and kept from one enqueueing to the next.
  state,
  /// What it holds before and after does not matter.
  scratch,
  /// Words that the host reads with Plan::check().
  status,
};

/// A piece of the executor's memory that a plan works in: device memory for Executor::gpu, host memory for
/// the others.
struct Part {
  /// In messages and rows.
  const char* name;
  Role role;
  /// Exact where the plan knows its data, at most that many where it was made of bounds.
  std::uint64_t bytes;
  /// Of the address, in bytes; a power of two.
  std::uint32_t alignment;
};

/// The memory for a part: `bytes` bytes at `data`, at least the part's.
struct Given {
  void* data;
  std::uint64_t bytes;
};

/// Memory for a part with Role::input, which a plan only reads.
inline Given to_read(const void* data, std::uint64_t bytes) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): a plan only reads such a part.
  return {.data = const_cast<void*>(data), .bytes = bytes};
}

/// Some of a plan's work that can be timed by itself.
struct Phase {
  std::string_view name;
};

/// What an item (a block, a range) was refused for.
struct Problem {
  /// Number of the item.
  std::uint64_t item;
  /// What of it is wrong, and how.
  std::string field;
  std::string description;
};

/// What became of an execution.
struct Outcome {
  /// Of the output: bytes, or rows of a query. Only where it is complete; rows also where all that is missing
  /// is room for them (QueryPlans).
  std::uint64_t count = 0;
  /// Whether all output is there and right.
  bool is_complete = false;
  /// The first problem that was reported.
  std::optional<Problem> problem = std::nullopt;
};

/// Work on one executor, planned on the host from data that has been checked, or from bounds, and from
/// parameters. For Executor::gpu, a plan is for the device that was current when it was made. Any number of
/// threads may use a plan at the same time, each with memory of its own.
///
/// An execution is prepare(), where a part has Role::state, and then all phases in their order on one stream.
/// Every list of Given has the order of parts(). enqueue_all() checks it; who enqueues single phases calls
/// check_given() before the first of them.
class Plan {
public:
  Plan() = default;
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;
  virtual ~Plan() = default;

  /// The memory that an execution needs. The same list for the plan's whole life.
  virtual std::span<const Part> parts() const = 0;

  /// Fills the state (tables, lists) for the executions to come, on `stream`. May wait for it; not captured.
  /// Uses the inputs and the state only; an input that the state does not depend on may be nullptr.
  virtual void prepare(std::span<const Given> given, Stream stream) const;

  /// One for most decoders; encoders have several.
  virtual std::span<const Phase> phases() const = 0;

  /// Enqueues phase `phase`, less than phases().size(), on `stream`: allocates nothing, waits for nothing and
  /// asks the device nothing that a captured stream forbids. Throws std::invalid_argument if the stage cannot
  /// run with its parameters here, and cuda::CudaError.
  virtual void enqueue(std::span<const Given> given, Stream stream, std::size_t phase) const = 0;

  /// What an execution that is done has reported: host copies of the parts with Role::status and
  /// Role::result, empty where the plan has none. Items are numbered from `first`.
  virtual Outcome check(std::span<const std::byte> status, std::span<const std::byte> result,
                        std::uint64_t first) const = 0;
};

/// The bytes of the first part with that role; 0 if there is none.
std::uint64_t bytes_of(const Plan& plan, Role role);

/// Throws std::invalid_argument, which names the part, unless `given` has memory for each of parts(), in
/// their order: enough bytes, at an address that is aligned and, unless the part has no bytes, not nullptr.
void check_given(std::span<const Part> parts, std::span<const Given> given);

/// Checks `given` and enqueues all phases in their order.
void enqueue_all(const Plan& plan, std::span<const Given> given, Stream stream);

/// Throws format::FormatError for the outcome's problem, if it has one.
void throw_problem(const Outcome& outcome);

}  // namespace gsst::stage
