#!/usr/bin/env bash
# fish_completion.sh SCRIPT: checks the words with which fish completes a line, for lines that end in different places.
set -euo pipefail
script=$1
if ! command -v fish >/dev/null; then
  echo "skipped: fish is not installed"
  exit 77
fi
fish --no-execute "$script"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
touch "$scratch/test.litmus"
cd "$scratch"
failed=0
# offers LINE "WORDS": fish offers exactly these completions, in its own order.
offers() {
  local found
  found=$(HOME=$scratch fish --no-config --command "source '$script'; complete -C '$1'" | cut -f1 | tr '\n' ' ')
  if [[ $found != "$2 " && $found != "$2" ]]; then
    echo "for '$1' expected '$2', found '$found'"
    failed=1
  fi
}
offers 'ambit ch' 'check'
offers 'ambit check --engine ' 'auto explicit smt'
offers 'ambit check --engine=s' '--engine=smt'
offers 'ambit check --model ptx' 'ptx ptx-6.0 ptx-7.5 ptx-9.0 ptx-observed ptx-tm'
offers 'ambit check --model sc,cu' 'sc,cuda-cpp'
offers 'ambit check te' 'test.litmus'
offers 'ambit check --prop' '--property'
offers 'ambit detect --detector scord,ig' 'scord,iguard'
offers 'ambit models hrf-i' 'hrf-indirect hrf-indirect-tm'
offers 'ambit trace conv' 'convert'
offers 'ambit trace convert --z' '--zstd'
offers 'ambit trace check --mod' ''
exit "$failed"
