#pragma once

/// GSST_RARE_CALL: of a device function that a kernel rarely calls. Inlined, it would take registers from the
/// loop that calls it. What it gets by reference is in memory.
/// GSST_GRID_CONSTANT: of a kernel's parameter, which such functions get a reference to: without it, each
/// thread had a copy.
#if defined(__CUDACC__)
#define GSST_RARE_CALL __noinline__
#define GSST_GRID_CONSTANT __grid_constant__
#else
#define GSST_RARE_CALL inline
#define GSST_GRID_CONSTANT
#endif
