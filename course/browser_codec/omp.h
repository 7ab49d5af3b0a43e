#pragma once

// What the codec asks of OpenMP, where a page has one thread. Emscripten has no OpenMP.

enum omp_pause_resource_t { omp_pause_soft = 1 };

inline int omp_get_num_procs() {
  return 1;
}

inline int omp_pause_resource_all(omp_pause_resource_t /*kind*/) {
  return 0;
}
