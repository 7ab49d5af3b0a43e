#include "stages/tile_integer/shared/frame_check.cuh"
