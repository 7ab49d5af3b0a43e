#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

#include "experiments/measure/shared/row.hpp"
#include "experiments/measure_cpu/studied_works.hpp"

namespace gsst::experiments {

struct DiskOptions {
  std::filesystem::path input;
  /// Of the disk that is measured. Three files are made there and removed in the end.
  std::filesystem::path folder;
  /// Of the stage, 1 or more each.
  std::vector<unsigned> threads;
  /// Slow disks make fewer; each row says how many.
  std::size_t repetitions;
};

/// What the rows of a work are of, as their `variant` says. Throughput is of uncompressed bytes in all four.
inline constexpr const char* from_disk_to_disk = "disk to disk";
inline constexpr const char* from_memory_to_memory = "memory to memory";
inline constexpr const char* reading_alone = "reading alone";
/// The bytes that the stage writes, and nothing else.
inline constexpr const char* writing_alone = "writing alone";

/// A work for each number of threads: stage zero_length/03_simd compresses a copy of the input in the folder
/// to another file there, in blocks of 1 MiB of the bare form. It has a row for each of the above, repeated
/// in turn. What is written counts when the device has it (fsync(2)); of what is read the system forgets all
/// before (DiskFile::drop_cached()), and the rows say how much it then still had. What is read and written is
/// compared with the input and with what the format's codec makes of it, before and after. Reads the input at
/// once and holds it three times; throws InputError, and the works throw MismatchError.
std::vector<StudiedWork> disk_works(const DiskOptions& options, const Dataset& dataset);

}  // namespace gsst::experiments
