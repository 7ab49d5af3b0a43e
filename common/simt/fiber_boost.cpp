#include <boost/context/fiber.hpp>
#include <boost/context/fixedsize_stack.hpp>
#include <utility>

#include "common/simt/fiber.hpp"

namespace gsst::simt {

struct Fiber::Implementation {
  boost::context::fiber inside;
  boost::context::fiber outside;
  std::function<void()> body;
  bool finished = true;
};

Fiber::Fiber() : implementation_(std::make_unique<Implementation>()) {}
Fiber::~Fiber() = default;
Fiber::Fiber(Fiber&&) noexcept = default;
Fiber& Fiber::operator=(Fiber&&) noexcept = default;

void Fiber::start(std::function<void()> body) {
  implementation_->body = std::move(body);
  implementation_->finished = false;
  if (implementation_->inside) return;
  // One stack for all bodies that this fiber ever runs: making one costs more than a small kernel's thread.
  implementation_->inside =
      boost::context::fiber(std::allocator_arg, boost::context::fixedsize_stack(stack_bytes),
                            [state = implementation_.get()](boost::context::fiber&& caller) {
                              state->outside = std::move(caller);
                              while (true) {
                                state->body();
                                state->finished = true;
                                state->outside = std::move(state->outside).resume();
                              }
                              return std::move(state->outside);
                            });
}

bool Fiber::resume() {
  implementation_->inside = std::move(implementation_->inside).resume();
  return implementation_->finished;
}

void Fiber::suspend() {
  implementation_->outside = std::move(implementation_->outside).resume();
}

}  // namespace gsst::simt
