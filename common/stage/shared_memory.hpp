#pragma once

/// GSST_SHARED_MEMORY(name): the thread block's shared memory, as many bytes as the launch asks for, as a
/// pointer `name` to bytes aligned to 128.
#if defined(__CUDACC__)
#define GSST_SHARED_MEMORY(name) extern __shared__ __align__(128) std::uint8_t name[]
#else
#define GSST_SHARED_MEMORY(name) std::uint8_t* const name = ::gsst::simt::shared_memory()
#endif
