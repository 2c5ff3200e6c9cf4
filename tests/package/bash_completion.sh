#!/usr/bin/env bash
# bash_completion.sh SCRIPT: checks the words with which bash completes a line, for lines that end in different places.
set -euo pipefail
script=$1
bash -n "$script"
# shellcheck disable=SC1090
source "$script"
failed=0

# offers "WORDS" "EXPECTED...": checks the completions of the last word, as bash splits the line. "..." allows others.
offers() {
  local expected=$2 found
  IFS=' ' read -r -a COMP_WORDS <<<"$1"
  if [[ $1 == *' ' ]]; then COMP_WORDS+=(""); fi
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
  COMPREPLY=()
  _ambit || true
  found="${COMPREPLY[*]}"
  # shellcheck disable=SC2053
  if [[ $found != $expected ]]; then
    echo "for '$1' expected '$expected', found '$found'"
    failed=1
  fi
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/folder"
touch "$scratch/test.litmus" "$scratch/two words.litmus"
cd "$scratch"

offers 'ambit ch' 'check'
offers 'ambit ' 'check *serve'
offers 'ambit --v' '--version'
offers 'ambit check --model p' 'ptx ptx-9.0 ptx-7.5 ptx-6.0 ptx-tm ptx-observed'
offers 'ambit check -m p' 'ptx ptx-9.0 ptx-7.5 ptx-6.0 ptx-tm ptx-observed'
offers 'ambit check --model = p' 'ptx ptx-9.0 ptx-7.5 ptx-6.0 ptx-tm ptx-observed' # bash splits at "="
offers 'ambit check --model =' 'sc *folder*'
offers 'ambit check --model sc,cu' 'sc,cuda-cpp'
offers 'ambit check --engine ' 'auto smt explicit'
offers 'ambit check --property ' 'termination'
offers 'ambit check --scheduler fair,l' 'fair,lobe fair,lockstep'
offers 'ambit check --unroll ' ''
offers 'ambit check te' 'test.litmus'
offers 'ambit check two' 'two words.litmus'
offers 'ambit check test.litmus --form' '--format'
offers 'ambit check --html ' 'folder'
offers 'ambit detect --detector scord,ig' 'scord,iguard'
offers 'ambit models hrf-i' 'hrf-indirect hrf-indirect-tm'
offers 'ambit emit ' 'cuda ptx sass program'
offers 'ambit emit --batch 2 cuda te' 'test.litmus' # an option's value is not an argument
offers 'ambit trace ' 'convert check'
offers 'ambit trace convert --z' '--zstd'
offers 'ambit trace check te' 'test.litmus'
offers 'ambit trace check --mod' ''
offers 'ambit check --quiet --json --m' '--model --max-threads --max-events --memory'
exit "$failed"
