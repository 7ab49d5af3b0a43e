// The stage once more, with the code for GPUs before compute capability 9.0 on all others too: only tests
// have it.
#define GSST_OLDER_GPUS 1
#define GSST_STAGE_ID "gsst/09_warp_tiles_older_gpus"
#include "stages/gsst/09_warp_tiles/stage.cu"
