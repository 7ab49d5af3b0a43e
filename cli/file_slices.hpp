#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

/// Large pieces of regular files, read and written by several threads at their offsets: one thread copies a
/// fraction of what a link to a GPU moves.
namespace gsst::cli {

/// Less than that takes longer to hand out to threads than to copy.
inline constexpr std::size_t least_sliced_bytes = std::size_t{512} << 10;

/// Reads from `offset` on until `buffer` is full or the file ends, and returns the bytes read. The
/// descriptor's position stays. Throws CommandError naming `name`.
std::size_t read_slices(int descriptor, std::uint64_t offset, std::span<std::uint8_t> buffer,
                        unsigned threads, const std::string& name);

/// Whether write_slices() with so many threads is faster than write(2) on the file of `descriptor`, which is
/// open for reading and writing: where its pages are this machine's memory until they go to a disk.
bool takes_slices(int descriptor, unsigned threads);

/// Writes `bytes` from `offset` on; there the file ends. Threads copy into the file's pages: of several calls
/// of write(2) on one file the system does one at a time. The descriptor's position stays. Where the disk is
/// full, what is missing may be anywhere in the piece. Throws CommandError naming `name`.
void write_slices(int descriptor, std::uint64_t offset, std::span<const std::uint8_t> bytes, unsigned threads,
                  const std::string& name);

}  // namespace gsst::cli
