#include "stages/zero_length/05_cuda_scan/host_encode_registration.cuh"
