#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace gsst::simt {

/// A function that runs on a stack of its own and can stop in the middle, to be resumed later.
///
/// Boost.Context switches stacks in a few nanoseconds, without a system call.
class Fiber {
public:
  /// Bytes of the stack: kernels keep a symbol table (2,312 bytes) and more in local memory.
  static constexpr std::size_t stack_bytes = std::size_t{64} << 10;

  Fiber();
  ~Fiber();
  Fiber(Fiber&&) noexcept;
  Fiber& operator=(Fiber&&) noexcept;

  /// Sets what the next resume() starts. The fiber must be new or finished. `body` must not throw.
  void start(std::function<void()> body);

  /// Runs until the body calls suspend() or returns. Returns whether it returned.
  bool resume();

  /// Called by the body: goes back to the caller of resume().
  void suspend();

  /// Gives up a body that is suspended where no exception may pass, so that its stack cannot be unwound: the
  /// stack and what its objects own are never freed. The fiber can only be destroyed or assigned to then.
  void abandon();

private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace gsst::simt
