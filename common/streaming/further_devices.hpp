#pragma once

#include <cstdint>
#include <optional>

namespace gsst::streaming {

/// Seconds from the first use of a GPU until it works. Recorded in engine_files on an H200: the command tests
/// a file of 1 kB in 0.19 s, which is the start of the GPU and nearly nothing else.
inline constexpr double start_seconds = 0.2;

/// How far one device has come with a stream.
struct Pace {
  /// Of which the host has waited for the device. Only this time gets shorter with more devices: where
  /// reading or writing is slower, the host does not wait.
  double waited_seconds;
  /// Compressed bytes that were read.
  std::uint64_t read_bytes;
  /// Compressed bytes of the whole stream, where known.
  std::optional<std::uint64_t> all_bytes;
};

/// Whether further devices, each of which takes `seconds_to_start`, make a stream shorter: where the host
/// will wait for the device at least twice as long. Of a stream of unknown length as much is expected to come
/// as has been read.
bool further_devices_pay(const Pace& pace, double seconds_to_start);

}  // namespace gsst::streaming
