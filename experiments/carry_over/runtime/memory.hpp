#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace gsst::logged_cuda {

/// Memory of the device, or of the host that copies need no staging for: zeros of the host, with a page after
/// it that nobody may touch. 0 bytes are a null pointer. Safe from several threads, as all of these.
void* allocate(std::size_t bytes);

/// Frees what allocate() gave; a null pointer is nothing. False for another address.
bool release(void* data);

/// Whether the address is in what allocate() gave.
bool is_allocated(const void* data);

/// Bytes that are allocated.
std::size_t allocated_bytes();

/// `#3+0x40` for the address 64 bytes into the third allocation, `0` for a null pointer, `host` for others.
std::string place_of(const void* data);

/// The bytes in hexadecimal digits; each word of 8 bytes that is an address in an allocation as place_of()
/// says it. Words start at multiples of 8 bytes.
std::string describe_bytes(const void* data, std::size_t count);

}  // namespace gsst::logged_cuda
