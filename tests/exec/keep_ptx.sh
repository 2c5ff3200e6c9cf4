#!/bin/sh
# Compiles the programs of programs.txt with nvcc and stores their PTX. kept/NAME.tar.zst contains NAME/none.ptx, the
# program without a race, and NAME/MACRO.ptx for each race. `keep_ptx.sh --check` compares the stored PTX with the
# output of nvcc. The exit status is 77 if nvcc is missing, or has another version than the nvcc that made the stored
# PTX.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
[ -x "$nvcc" ] || { echo "nvcc is not installed"; exit 77; }
command -v zstd >/dev/null || { echo "zstd is not installed"; exit 77; }
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT

# Prints nvcc's PTX of a source with a macro, with paths relative to the project's root.
ptx_of() {
  "$nvcc" -std=c++17 -arch=sm_90 -ptx -lineinfo ${2:+-D$2} "$root/$1" -o "$made/one.ptx" 2>"$made/messages" ||
    { cat "$made/messages" >&2; exit 1; }
  sed -e "s|\"$root/|\"|" -e 's|\.file\(.*\)"/[^"]*/include/|.file\1"/cuda/include/|' "$made/one.ptx"
}

finish() {
  [ -n "$name" ] || return 0
  if [ -z "$check" ]; then
    tar -C "$made" --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -cf - "$name" |
      zstd -19 -q -f -o "$here/kept/$name.tar.zst"
    return 0
  fi
  mkdir -p "$made/kept"
  zstd -d -q -c "$here/kept/$name.tar.zst" | tar -C "$made/kept" -xf -
  if [ "$(grep -m1 'Cuda compilation tools' "$made/kept/$name/none.ptx")" != \
       "$(grep -m1 'Cuda compilation tools' "$made/$name/none.ptx")" ]; then
    echo "the kept PTX is of another version of nvcc"
    exit 77
  fi
  # The names of inlined functions contain numbers that nvcc derives from the whole path.
  sed -i '/^[[:space:]]*\.b8 /d' "$made/kept/$name"/*.ptx "$made/$name"/*.ptx
  diff -rq "$made/kept/$name" "$made/$name" || { echo "run tests/exec/keep_ptx.sh"; exit 1; }
}

check=${1:-}
name=
while read -r kind first second rest; do
  case $kind in
    program)
      finish
      name=$second
      source=$first/$second.cu
      mkdir "$made/$name"
      ptx_of "$source" "" >"$made/$name/none.ptx"
      ;;
    race) ptx_of "$source" "$first" >"$made/$name/$first.ptx" ;;
  esac
done <"$here/programs.txt"
finish
