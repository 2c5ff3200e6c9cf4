#!/usr/bin/env bash
# installed.sh BUILD SOURCE: runs the installed program in an empty folder, where it must use no file of its sources or
# build.
set -euo pipefail
build=$1 source=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
prefix=$scratch/prefix

fail() {
  echo "installed.sh: $*" >&2
  exit 1
}

cmake --install "$build" --prefix "$prefix" --component program >"$scratch/log" || { cat "$scratch/log"; exit 1; }
mkdir "$scratch/empty"
cp "$source/litmus/scor/"*.litmus "$scratch"
cd "$scratch/empty"

# The environment is empty, so no variable of the build or the shell can lead the program to the sources.
ambit() { env -i PATH="$prefix/bin:/usr/bin:/bin" ambit "$@"; }

[[ "$(ambit --version)" == "ambit "* ]] || fail "no version"
grep -q '^ptx ' <<<"$(ambit models)" || fail "the shipped models are missing"
ambit models ptx | cmp - "$source/model/cat/ptx.cat" || fail "the text of a model is not that of the sources"
ambit check "$scratch"/*.litmus >"$scratch/checked" || fail "check: $(tail -n 5 "$scratch/checked")"
ambit check "$prefix/share/ambit/litmus/separating" -q || fail "the installed tests do not meet their expectations"
ambit check "$scratch"/race_interblock_blkfence_raw.litmus --model "$prefix/share/ambit/cat/ptx.cat" 2>"$scratch/refused" && fail "a model of a shipped name"
grep -q ptx "$scratch/refused" || fail "the installed models are not found"

for page in "$source"/apps/cli/*_command.cpp; do
  name=$(basename "$page" _command.cpp)
  [[ -s "$prefix/share/man/man1/ambit-$name.1" ]] || fail "no manual page of $name"
done
for file in share/man/man1/ambit.1 share/bash-completion/completions/ambit share/zsh/vendor-completions/_ambit \
  share/fish/vendor_completions.d/ambit.fish share/doc/ambit/README.md \
  share/doc/ambit/guide/tutorial.md share/doc/ambit/copyright; do
  [[ -s "$prefix/$file" ]] || fail "$file is not installed"
done
if grep -rlF "$build" "$prefix/share"; then fail "these files name the build folder"; fi
echo "installed: works from an empty folder"
