#include "common/simt/fiber.hpp"

#include <boost/context/fiber.hpp>
#include <boost/context/preallocated.hpp>
#include <boost/context/stack_context.hpp>
#include <cstdint>
#include <utility>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif

namespace gsst::simt {
namespace {

// Lowest address and bytes.
using StackBorders = std::pair<const void*, std::size_t>;

// AddressSanitizer knows the borders of one stack and has to be told of each switch, before and after it.
// `left_stack` keeps what it remembers of the stack that is left.
#if defined(__SANITIZE_ADDRESS__)
// Redzones around local arrays make frames several times larger.
constexpr std::size_t allocated_stack_bytes = 4 * Fiber::stack_bytes;

void before_switch(void*& left_stack, const StackBorders& next) {
  __sanitizer_start_switch_fiber(&left_stack, next.first, next.second);
}

// Returns the borders of the stack that was left.
StackBorders after_switch(void* left_stack) {
  StackBorders previous;
  __sanitizer_finish_switch_fiber(left_stack, &previous.first, &previous.second);
  return previous;
}
#else
constexpr std::size_t allocated_stack_bytes = Fiber::stack_bytes;

void before_switch(void*& /*left_stack*/, const StackBorders& /*next*/) {}

StackBorders after_switch(void* /*left_stack*/) {
  return {};
}
#endif

// The stack is the fiber's own: Boost has nothing to free.
struct KeptStack {
  static void deallocate(boost::context::stack_context& /*stack*/) noexcept {}
};

}  // namespace

struct Fiber::Implementation {
  std::unique_ptr<std::uint8_t[]> stack;
  boost::context::fiber inside;
  boost::context::fiber outside;
  std::function<void()> body;
  bool finished = true;
  // What AddressSanitizer remembers of a stack while the other is in use.
  void* left_inside = nullptr;
  void* left_outside = nullptr;
  StackBorders outside_borders{};

  Implementation() = default;
  Implementation(const Implementation&) = delete;
  Implementation& operator=(const Implementation&) = delete;

  // Boost unwinds the fiber's stack: a fiber waits where run() or its body suspended it.
  ~Implementation() {
    if (!inside) return;
    before_switch(left_outside, borders());
    inside = {};
    after_switch(left_outside);
  }

  StackBorders borders() const { return {stack.get(), allocated_stack_bytes}; }

  void make() {
    stack = std::make_unique_for_overwrite<std::uint8_t[]>(allocated_stack_bytes);
    boost::context::stack_context context;
    context.size = allocated_stack_bytes;
    context.sp = stack.get() + allocated_stack_bytes;
    inside = boost::context::fiber(std::allocator_arg,
                                   boost::context::preallocated(context.sp, context.size, context),
                                   KeptStack(), [this](boost::context::fiber&& caller) {
                                     outside = std::move(caller);
                                     return run();
                                   });
  }

  boost::context::fiber run() {
    // Unwinding, the only way out, ends with a switch too.
    struct Leaving {
      Implementation& state;
      ~Leaving() { before_switch(state.left_inside, state.outside_borders); }
    };
    outside_borders = after_switch(nullptr);
    const Leaving leaving{*this};
    while (true) {
      body();
      finished = true;
      leave();
    }
    return std::move(outside);
  }

  void enter() {
    before_switch(left_outside, borders());
    inside = std::move(inside).resume();
    after_switch(left_outside);
  }

  void leave() {
    // Comes back by an exception where the fiber is destroyed.
    struct Returning {
      Implementation& state;
      ~Returning() { state.outside_borders = after_switch(state.left_inside); }
    };
    before_switch(left_inside, outside_borders);
    const Returning returning{*this};
    outside = std::move(outside).resume();
  }
};

Fiber::Fiber() : implementation_(std::make_unique<Implementation>()) {}
Fiber::~Fiber() = default;
Fiber::Fiber(Fiber&&) noexcept = default;
Fiber& Fiber::operator=(Fiber&&) noexcept = default;

void Fiber::start(std::function<void()> body) {
  implementation_->body = std::move(body);
  implementation_->finished = false;
  // One stack for all bodies that this fiber ever runs: making one costs more than a small kernel's thread.
  if (!implementation_->inside) implementation_->make();
}

bool Fiber::resume() {
  implementation_->enter();
  return implementation_->finished;
}

void Fiber::suspend() {
  implementation_->leave();
}

void Fiber::abandon() {
  static_cast<void>(implementation_.release());
}

}  // namespace gsst::simt
