#include "stages/suite/forbidden_guards.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>

// AddressSanitizer's, where the program is linked with it: the tests themselves need not be compiled for it.
// NOLINTBEGIN(readability-identifier-naming,bugprone-reserved-identifier)
extern "C" {
[[gnu::weak]] void __asan_poison_memory_region(const volatile void* address, std::size_t bytes);
[[gnu::weak]] void __asan_unpoison_memory_region(const volatile void* address, std::size_t bytes);
}
// NOLINTEND(readability-identifier-naming,bugprone-reserved-identifier)

namespace gsst::stage {
namespace {

// While it lives nobody may access these bytes.
class Forbidden {
public:
  Forbidden(const void* first, std::size_t bytes) : first_(first), bytes_(bytes) {
    if (__asan_poison_memory_region != nullptr) __asan_poison_memory_region(first_, bytes_);
  }
  ~Forbidden() {
    if (__asan_unpoison_memory_region != nullptr) __asan_unpoison_memory_region(first_, bytes_);
  }
  Forbidden(const Forbidden&) = delete;
  Forbidden& operator=(const Forbidden&) = delete;

private:
  const void* first_;
  std::size_t bytes_;
};

class GuardedPlan final : public Plan {
public:
  GuardedPlan(std::unique_ptr<Plan> plan, std::size_t guard_bytes)
      : plan_(std::move(plan)), guard_bytes_(guard_bytes) {}

  std::span<const Part> parts() const override { return plan_->parts(); }
  std::span<const Phase> phases() const override { return plan_->phases(); }
  void prepare(std::span<const Given> given, Stream stream) const override { plan_->prepare(given, stream); }
  Outcome check(std::span<const std::byte> status, std::span<const std::byte> result,
                std::uint64_t first) const override {
    return plan_->check(status, result, first);
  }

  void enqueue(std::span<const Given> given, Stream stream, std::size_t phase) const override {
    const auto* const output = static_cast<const std::uint8_t*>(given[1].data);
    const Forbidden before(output - guard_bytes_, guard_bytes_);
    const Forbidden after(output + given[1].bytes, guard_bytes_);
    plan_->enqueue(given, stream, phase);
  }

private:
  std::unique_ptr<Plan> plan_;
  std::size_t guard_bytes_;
};

}  // namespace

RegisteredStage with_forbidden_guards(const RegisteredStage& stage, std::size_t guard_bytes) {
  RegisteredStage guarded = stage;
  for (auto& [executor, plans] : guarded.decode) {
    if (executor == Executor::gpu) continue;
    plans.make = [make = plans.make, guard_bytes](const DecodeSubject& subject) {
      return std::make_unique<GuardedPlan>(make(subject), guard_bytes);
    };
  }
  return guarded;
}

}  // namespace gsst::stage
