#include "stages/zero_length/05_cuda_scan/encode_registration.cuh"
