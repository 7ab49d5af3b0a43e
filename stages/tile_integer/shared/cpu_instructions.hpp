#pragma once

/// What this processor can do of what the files of this series are compiled for.
namespace gsst::tile_integer::cpu {

/// Whether the compiler's flags for files whose name ends with _avx512 suit this processor.
inline bool has_avx512() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
         __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("avx512f") &&
         __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512vbmi2");
#else
  return false;
#endif
}

}  // namespace gsst::tile_integer::cpu
