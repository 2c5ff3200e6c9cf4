#!/bin/sh
# Regenerates the kept kernels after a change of the generator: tests/compiled_kernels/sample/keep.sh BUILD. Needs nvcc.
set -e
cd "$(dirname "$0")"
for first in 1 13; do
  name=seeds_${first}_to_$((first + 11))
  "$1/ambit_compiled_kernels" --seed $first --kernels 12 --print > $name.cu
  nvcc -O3 -ptx -lineinfo -arch=sm_90 -w -o $name.ptx $name.cu
  sed -i -E 's|(\.file[[:space:]]+[0-9]+ ")[^"]*/([^"/]*")|\1\2|' $name.ptx
done
