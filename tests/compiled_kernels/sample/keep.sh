#!/bin/sh
# Writes the kept kernels anew, after a change of the generator: tests/compiled_kernels/sample/keep.sh BUILD. Needs nvcc.
set -e
cd "$(dirname "$0")"
"$1/ambit_compiled_kernels" --kernels 24 --print > kernels.cu
nvcc -O3 -ptx -lineinfo -arch=sm_90 -w -o kernels.ptx kernels.cu
sed -i -E 's|(\.file[[:space:]]+[0-9]+ ")[^"]*/([^"/]*")|\1\2|' kernels.ptx
