#!/bin/sh
# A fake race detector: fake-tool.sh SOURCE RUNS. Its reports depend only on the program's text.
case $(cat "$1") in
  *crash_the_tool*) kill -9 $$ ;;
  *break_the_tool*) echo "cannot open the device" >&2; exit 7 ;;
  *silence_the_tool*) exit 0 ;;
  *_block*) echo "tool: RACE on x after $2 runs" ;;
esac
echo "tool: done"
