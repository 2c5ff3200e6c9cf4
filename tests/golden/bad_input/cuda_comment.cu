__device__ int x; /* not closed
