#include "experiments/measure/shared/device_monitor.hpp"

#include <dlfcn.h>

#include <array>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <thread>

namespace gsst::experiments {
namespace {

// NVML's binary interface, as its reference describes it: the driver brings the library, and its header is
// not part of every CUDA toolkit.
using Device = void*;
using UnsignedReading = int (*)(Device, unsigned*);
using ReadingByKind = int (*)(Device, int kind, unsigned*);
using WideReading = int (*)(Device, unsigned long long*);
using EccReading = int (*)(Device, int* current, int* pending);

constexpr int success = 0;
constexpr int clock_sm = 1;
constexpr int clock_memory = 2;
constexpr int temperature_of_gpu = 0;
constexpr int ecc_enabled = 1;
constexpr std::chrono::milliseconds sampling_period(20);

// Runs `repeat` in a thread of its own, once every period, until it is destroyed.
class PeriodicThread {
public:
  explicit PeriodicThread(const std::function<void()>& repeat)
      : thread_([this, repeat] {
          std::unique_lock lock(mutex_);
          while (!stop_.wait_for(lock, sampling_period, [this] { return stopped_; })) repeat();
        }) {}
  ~PeriodicThread() {
    {
      const std::lock_guard lock(mutex_);
      stopped_ = true;
    }
    stop_.notify_one();
    thread_.join();
  }
  PeriodicThread(const PeriodicThread&) = delete;
  PeriodicThread& operator=(const PeriodicThread&) = delete;

private:
  std::mutex mutex_;
  std::condition_variable stop_;
  bool stopped_ = false;
  // Last: it uses the others.
  std::thread thread_;
};

}  // namespace

struct DeviceMonitor::Library {
  Library() : handle(::dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL)) {
    if (handle == nullptr) throw std::runtime_error(std::string("NVML cannot be loaded: ") + ::dlerror());
  }
  ~Library() { ::dlclose(handle); }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  template <typename Function>
  Function function(const char* name) const {
    void* const symbol = ::dlsym(handle, name);
    if (symbol == nullptr) throw std::runtime_error(std::string("NVML has no ") + name);
    return reinterpret_cast<Function>(symbol);
  }

  void check(int code, const char* call) const {
    if (code == success) return;
    const auto text = function<const char* (*)(int)>("nvmlErrorString");
    throw std::runtime_error(std::string("NVML: ") + call + ": " + text(code));
  }

  void* handle;
  Device device = nullptr;
};

DeviceMonitor::DeviceMonitor(const std::string& pci_bus_id) : library_(std::make_unique<Library>()) {
  library_->check(library_->function<int (*)()>("nvmlInit_v2")(), "nvmlInit_v2");
  const auto find = library_->function<int (*)(const char*, Device*)>("nvmlDeviceGetHandleByPciBusId_v2");
  library_->check(find(pci_bus_id.c_str(), &library_->device), "nvmlDeviceGetHandleByPciBusId_v2");
}

DeviceMonitor::~DeviceMonitor() = default;

std::string DeviceMonitor::driver_version() const {
  std::array<char, 81> version = {};
  const auto read = library_->function<int (*)(char*, unsigned)>("nvmlSystemGetDriverVersion");
  library_->check(read(version.data(), static_cast<unsigned>(version.size())), "nvmlSystemGetDriverVersion");
  return version.data();
}

std::optional<std::string> DeviceMonitor::ecc() const {
  int current = 0;
  int pending = 0;
  const auto read = library_->function<EccReading>("nvmlDeviceGetEccMode");
  if (read(library_->device, &current, &pending) != success) return std::nullopt;
  return current == ecc_enabled ? "enabled" : "disabled";
}

DeviceSample DeviceMonitor::sample() const {
  const auto by_kind = [&](const char* name, int kind) -> std::optional<unsigned> {
    unsigned value = 0;
    const bool known = library_->function<ReadingByKind>(name)(library_->device, kind, &value) == success;
    return known ? std::optional(value) : std::nullopt;
  };
  DeviceSample sample{.sm_mhz = by_kind("nvmlDeviceGetClockInfo", clock_sm),
                      .memory_mhz = by_kind("nvmlDeviceGetClockInfo", clock_memory),
                      .temperature_celsius = by_kind("nvmlDeviceGetTemperature", temperature_of_gpu),
                      .power_milliwatts = std::nullopt};
  unsigned power = 0;
  if (library_->function<UnsignedReading>("nvmlDeviceGetPowerUsage")(library_->device, &power) == success) {
    sample.power_milliwatts = power;
  }
  unsigned long long reasons = 0;
  const auto read_reasons = library_->function<WideReading>("nvmlDeviceGetCurrentClocksThrottleReasons");
  if (read_reasons(library_->device, &reasons) == success) sample.throttle_reasons = reasons;
  return sample;
}

std::vector<DeviceSample> DeviceMonitor::sample_during(const std::function<void()>& work) const {
  std::vector<DeviceSample> samples = {sample()};
  {
    const PeriodicThread sampling([&] { samples.push_back(sample()); });
    work();
  }
  samples.push_back(sample());
  return samples;
}

}  // namespace gsst::experiments
