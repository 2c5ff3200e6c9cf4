#!/usr/bin/env bash
# manual.sh PAGES: checks that man prints each manual page without a warning, and that the pages match --help.
set -euo pipefail
pages=$1

if ! command -v man >/dev/null || ! command -v groff >/dev/null && ! command -v nroff >/dev/null; then
  echo "skipped: man is not installed (package man-db)"
  exit 77
fi
# Ubuntu images without manuals replace man by a script that prints a notice.
if [[ $(man --version 2>/dev/null) != man\ * ]]; then
  echo "skipped: the program man of this system shows no pages"
  exit 77
fi

failed=0
for page in "$pages"/*.1; do
  warnings=$(MANWIDTH=100 man --warnings=w -l "$page" 2>&1 >/dev/null)
  if [[ -n $warnings ]]; then
    echo "$page: $warnings"
    failed=1
  fi
done

printed=$(MANWIDTH=200 MAN_KEEP_FORMATTING='' man -l "$pages/ambit-check.1" 2>/dev/null | cat)
for text in 'NAME' 'ambit-check - ' '-m, --model MODEL' '--engine auto|smt|explicit' 'Default: auto' 'hrf-indirect' 'EXIT STATUS' \
  "'kernel<<<2, 64>>>(int data[64] = 1, 5)'"; do
  if ! grep -qF -- "$text" <<<"$printed"; then
    echo "ambit-check.1 does not print: $text"
    failed=1
  fi
done
exit "$failed"
