#!/bin/sh
# Compiles kernels with nvcc and stores their PTX: unoptimised/NAME.ptx for each NAME. The source of NAME is in
# litmus/kernels, in litmus/cuda or in the folder of the PTX. The script removes debug sections and paths of this
# machine. Usage: tests/unit/compiled/keep_ptx.sh NAME...
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
for name; do
  for folder in "$here/unoptimised" "$root/litmus/kernels" "$root/litmus/cuda" "$root/litmus/async/cuda"; do
    [ ! -f "$folder/$name.cu" ] || source=$folder/$name.cu
  done
  "$nvcc" -ptx -G -arch=compute_90 -o "$here/unoptimised/$name.ptx" "$source"
  sed -i -e '/^[[:space:]]*\.section/,$d' -e 's|\(\.file[[:space:]]*[0-9]*\) "[^"]*/include/|\1 "/cuda/include/|' \
    -e "s|\"$root/|\"|" "$here/unoptimised/$name.ptx"
done
