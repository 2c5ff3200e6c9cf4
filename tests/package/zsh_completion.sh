#!/usr/bin/env bash
# zsh_completion.sh SCRIPT: checks that zsh reads the script, and that it completes commands, options and values.
set -euo pipefail
script=$1
if ! command -v zsh >/dev/null; then
  echo "skipped: zsh is not installed"
  exit 77
fi
zsh -n "$script"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp "$script" "$scratch/_ambit"
cat >"$scratch/offers.zsh" <<'ZSH'
# offers.zsh FOLDER LINE WORD...: types LINE and a tab in an interactive zsh. Waits until all words have appeared or the
# time limit has passed, then prints the screen.
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1= ; unsetopt zle_bracketed_paste 2>/dev/null; unset zle_bracketed_paste; stty columns 200; fpath=($1 \$fpath); autoload -U compinit; compinit -u -D; setopt list_rows_first; zstyle ':completion:*' list-prompt ''; zstyle ':completion:*' menu no; echo r''eady"
zpty -r -m shell out '*ready*'
zpty -w -n shell "$2"$'\t\t'
for ((tenths = 0; tenths < 200; tenths++)); do
  while zpty -r -t shell part; do out+=$part; done
  all=1
  for word in "${@:3}"; do [[ ${out##*ready} == *$word* ]] || all=0; done
  if (( all )); then break; fi
  sleep 0.1
done
print -r -- "${out##*ready}"
zpty -d shell
ZSH
failed=0
# offers LINE WORD...: checks that zsh shows each word as a completion of LINE.
offers() {
  local line=$1 shown word
  shift
  shown=$(timeout 60 zsh -f "$scratch/offers.zsh" "$scratch" "$line" "$@")
  for word in "$@"; do
    if ! grep -qF -- "$word" <<<"$shown"; then
      echo "for '$line' expected $word, found: $shown"
      failed=1
    fi
  done
}
offers 'ambit ' check outcomes serve
offers 'ambit check --en' --engine
offers 'ambit check --engine ' auto smt explicit
offers 'ambit check --model ' ptx-6.0 hrf-direct
offers 'ambit check --model sc,cu' sc,cuda-cpp
offers 'ambit trace ' convert check
offers 'ambit trace convert --z' --zstd
exit "$failed"
