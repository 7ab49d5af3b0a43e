#pragma once

/// This stage is compiled twice, the second time without the compiler's own vectorisation and under another
/// id (thesis 5.2: did the instructions help, or the compiler?). What both have is in a namespace each, so
/// that a program can be linked with both (cmake/GsstStages.cmake).
#if defined(GSST_UNVECTORISED)
#define GSST_SIMD_BUILD simd_unvectorised
#define GSST_SIMD_ID "zero_length/03_simd_unvectorised"
#else
#define GSST_SIMD_BUILD simd
#define GSST_SIMD_ID "zero_length/03_simd"
#endif
