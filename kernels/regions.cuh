// ---- the ldetector kernel: each GPU thread runs the whole test repeatedly in its own memory ----

extern "C" __global__ void __launch_bounds__(kBlockThreads) ambit_test(const __grid_constant__ Parameters parameters,
                                                                       const __grid_constant__ Buffers buffers,
                                                                       const unsigned first_round) {
  const unsigned instance = blockIdx.x * blockDim.x + threadIdx.x;
  if (instance >= parameters.groups * kBlockThreads) return;
  const RunMemory memory(reinterpret_cast<unsigned long long>(buffers.detection.memory), parameters.slot_mask + 1ULL,
                         instance);
  LDetector<TestMachine> detector(memory, TestMachine{}, parameters.max_steps);
#pragma unroll 1
  for (unsigned round = 0; round < parameters.rounds; ++round) {
    detector.play();
    count_run(buffers.detection, detector.log(), RunEnd::Whole);
  }
}
