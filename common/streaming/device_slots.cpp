#include "common/streaming/device_slots.hpp"

#include <chrono>
#include <exception>
#include <new>
#include <string>

#include "common/format/error.hpp"

namespace gsst::streaming {

template <typename Work>
void DeviceSlots::with_its_name(const Work& work) const {
  try {
    work();
  } catch (const format::FormatError&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    const std::string name = devices_.name(device_);
    if (name.empty()) throw;
    throw DeviceError(name + ": " + error.what());
  }
}

template <typename Work>
void DeviceSlots::on_device(const Work& work) const {
  with_its_name([&] {
    devices_.use(device_);
    work();
  });
}

DeviceSlots::DeviceSlots(const pipeline::StageRun& run, const format::FrameHeader& header,
                         const Devices& devices, std::size_t device, WorksOn works_on)
    : run_(run), header_(header), devices_(devices), device_(device) {
  if (works_on == WorksOn::own_thread) thread_ = std::make_unique<DeviceThread>();
}

void DeviceSlots::clear() {
  if (prepared_.valid()) prepared_.wait();
  prepared_ = {};
  is_ready_ = false;
  slots_.clear();
  started_ = 0;
}

void DeviceSlots::prepare(const pipeline::StreamMemory& memory) {
  memory_ = memory;
  if (!thread_) {
    on_device([&] {
      if (!copies_) copies_.emplace(run_.executor);
    });
    is_ready_ = true;
    return;
  }
  prepared_ = thread_->post([this] {
    on_device([&] {
      if (!copies_) copies_.emplace(run_.executor);
      while (slots_.size() < memory_.slots) {
        slots_.push_back(std::make_unique<HostSlot>(run_, header_, memory_));
      }
    });
  });
}

bool DeviceSlots::has_room() {
  if (prepared_.valid() && prepared_.wait_for(std::chrono::seconds(0)) == std::future_status::ready) {
    try {
      prepared_.get();
      is_ready_ = true;
    } catch (const std::exception&) {
      // Another program may have all of its memory, say. The other devices do its part.
      slots_.clear();
    }
  }
  return is_ready_ && on_their_way_ < memory_.slots;
}

HostSlot& DeviceSlots::next_slot() {
  if (slots_.size() < memory_.slots) {
    on_device([&] { slots_.push_back(std::make_unique<HostSlot>(run_, header_, memory_)); });
  }
  return *slots_[started_ % memory_.slots];
}

void DeviceSlots::start() {
  HostSlot& slot = *slots_[started_ % memory_.slots];
  const auto work = [this, &slot] { on_device([&] { slot.start(*copies_); }); };
  if (thread_) {
    slot.started = thread_->post(work);
  } else {
    work();
  }
  ++started_;
  ++on_their_way_;
  has_worked_ = true;
}

HostSlot& DeviceSlots::finish_oldest() {
  HostSlot& oldest = *slots_[(started_ - on_their_way_) % memory_.slots];
  if (oldest.started.valid()) oldest.started.get();
  with_its_name([&] { oldest.slot.finish(); });
  if (oldest.compares_on_host) oldest.checksums.check();
  return oldest;
}

void DeviceSlots::release_oldest() {
  --on_their_way_;
}

}  // namespace gsst::streaming
