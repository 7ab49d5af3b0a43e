#include <sanitizer/common_interface_defs.h>
#include <ucontext.h>

#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "common/simt/fiber.hpp"

namespace gsst::simt {

struct Fiber::Implementation {
  ucontext_t inside{};
  ucontext_t outside{};
  std::vector<std::uint8_t> stack;
  std::function<void()> body;
  bool finished = true;
  bool made = false;
  // AddressSanitizer's record of the stack that was left, for either direction.
  void* fake_stack_inside = nullptr;
  void* fake_stack_outside = nullptr;
  const void* outside_stack = nullptr;
  std::size_t outside_stack_bytes = 0;

  void leave() {
    __sanitizer_start_switch_fiber(&fake_stack_inside, outside_stack, outside_stack_bytes);
    swapcontext(&inside, &outside);
    __sanitizer_finish_switch_fiber(fake_stack_inside, &outside_stack, &outside_stack_bytes);
  }

  // makecontext() passes ints only, so the pointer comes in two halves.
  static void run(unsigned high, unsigned low) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): makecontext() leaves no other way
    auto* const state = reinterpret_cast<Implementation*>(std::uintptr_t{high} << 32 | low);
    __sanitizer_finish_switch_fiber(nullptr, &state->outside_stack, &state->outside_stack_bytes);
    while (true) {
      state->body();
      state->finished = true;
      state->leave();
    }
  }
};

Fiber::Fiber() : implementation_(std::make_unique<Implementation>()) {}
Fiber::~Fiber() = default;
Fiber::Fiber(Fiber&&) noexcept = default;
Fiber& Fiber::operator=(Fiber&&) noexcept = default;

void Fiber::start(std::function<void()> body) {
  Implementation& state = *implementation_;
  state.body = std::move(body);
  state.finished = false;
  if (state.made) return;
  // Redzones around local arrays make frames several times larger.
  state.stack.resize(4 * stack_bytes);
  if (getcontext(&state.inside) != 0) throw std::runtime_error("getcontext failed");
  state.inside.uc_stack.ss_sp = state.stack.data();
  state.inside.uc_stack.ss_size = state.stack.size();
  state.inside.uc_link = nullptr;
  const auto address = reinterpret_cast<std::uintptr_t>(&state);
  makecontext(&state.inside, reinterpret_cast<void (*)()>(&Implementation::run), 2,
              static_cast<unsigned>(address >> 32), static_cast<unsigned>(address));
  state.made = true;
}

bool Fiber::resume() {
  Implementation& state = *implementation_;
  __sanitizer_start_switch_fiber(&state.fake_stack_outside, state.stack.data(), state.stack.size());
  swapcontext(&state.outside, &state.inside);
  __sanitizer_finish_switch_fiber(state.fake_stack_outside, nullptr, nullptr);
  return state.finished;
}

void Fiber::suspend() {
  implementation_->leave();
}

}  // namespace gsst::simt
