#pragma once

#include <exception>

#include "common/pipeline/buffer.hpp"
#include "common/pipeline/queue.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/registry.hpp"
#include "stages/zero_length/06_pipeline/description.hpp"

// What the slots of both directions share.
namespace gsst::zero_length::host_to_host {
namespace {

// Waits for all slots when it goes, also where something has failed: they work in memory of the caller.
template <typename Slots>
class WaitForSlots {
public:
  explicit WaitForSlots(const Slots& slots) : slots_(slots) {}
  WaitForSlots(const WaitForSlots&) = delete;
  WaitForSlots& operator=(const WaitForSlots&) = delete;
  ~WaitForSlots() {
    for (const auto& slot : slots_) {
      try {
        slot->wait();
      } catch (const std::exception&) {
        // What failed has been reported, or is by the next call that is checked.
        continue;
      }
    }
  }

private:
  const Slots& slots_;
};

}  // namespace
}  // namespace gsst::zero_length::host_to_host
