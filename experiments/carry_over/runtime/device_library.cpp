// What measuring programs take of other libraries, and what must be the same in every run.
#include <cstdio>
#include <random>

// Google Benchmark runs repetitions in random order; its seed is from here.
std::random_device::result_type std::random_device::_M_getval() {
  return 0;
}

// What DeviceMonitor loads of NVML: clocks and temperatures, which say nothing here. Nothing of it is logged:
// a thread reads them from time to time.

// NOLINTBEGIN(readability-identifier-naming)
extern "C" {
int nvmlInit_v2() {
  return 0;
}
int nvmlDeviceGetHandleByPciBusId_v2(const char* /*bus*/, void** device) {
  static int only = 0;
  *device = &only;
  return 0;
}
int nvmlSystemGetDriverVersion(char* version, unsigned length) {
  std::snprintf(version, length, "none");
  return 0;
}
int nvmlDeviceGetEccMode(void* /*device*/, int* current, int* pending) {
  *current = *pending = 1;
  return 0;
}
int nvmlDeviceGetClockInfo(void* /*device*/, int /*kind*/, unsigned* megahertz) {
  *megahertz = 1000;
  return 0;
}
int nvmlDeviceGetTemperature(void* /*device*/, int /*kind*/, unsigned* celsius) {
  *celsius = 40;
  return 0;
}
int nvmlDeviceGetPowerUsage(void* /*device*/, unsigned* milliwatts) {
  *milliwatts = 100'000;
  return 0;
}
int nvmlDeviceGetCurrentClocksThrottleReasons(void* /*device*/, unsigned long long* reasons) {
  *reasons = 0;
  return 0;
}
const char* nvmlErrorString(int /*code*/) {
  return "no error";
}
}
// NOLINTEND(readability-identifier-naming)
