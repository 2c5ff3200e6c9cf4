#!/usr/bin/env bash
# Runs a campaign of 1,000 tests on a real Slurm with four workers. Before the end, the test kills one worker and
# cancels another worker. The merged result must be identical to the result of one process that checks all tests. Usage:
# campaign_test.sh AMBIT SOURCE_DIR. The status is 77 if the test cannot run on this machine.
set -uo pipefail
readonly AMBIT=$1 SOURCE=$2
. "$SOURCE/tests/slurm/slurm.sh"

reason=$(why_no_slurm)
if [ -n "$reason" ]; then
  echo "skipped: $reason"
  exit 77
fi

work=$(mktemp -d "${TMPDIR:-/tmp}/ambit-slurm-XXXXXX")
finish() {
  stop_slurm
  rm -rf "$work"
}
trap finish EXIT
trap 'exit 1' INT TERM

fail() {
  echo "FAILED: $*" >&2
  "$AMBIT" campaign status "$campaign" >&2
  tail -n 5 "$campaign"/slurm-*.out >&2
  exit 1
}

# Waits until a command succeeds, at most four minutes.
wait_until() {
  local i
  for ((i = 0; i < 2400; i++)); do
    "$@" && return
    sleep 0.1
  done
  fail "waited too long for: $*"
}

has_results() { [ "$(ls "$campaign/results" | wc -l)" -ge "$1" ]; }
has_lease() { [ -n "$(ls "$campaign/leases")" ]; }
has_no_jobs() { [ -z "$(squeue -h)" ]; }
has_stopped() { grep -qs '^stopped' "$campaign"/slurm-*-"$1".out; }

cd "$SOURCE"
readonly campaign=$work/campaign
find litmus/barrier litmus/classic litmus/language litmus/ptx litmus/scor litmus/separating -name '*.litmus' | LC_ALL=C sort | head -n 1000 >"$work/files"
[ "$(wc -l <"$work/files")" = 1000 ] || fail "expected 1000 tests"
readarray -t files <"$work/files"

start_slurm "$work" || exit 1
"$AMBIT" campaign new "$campaign" --lease 3 -- check "${files[@]}" >/dev/null || fail "campaign new"
"$AMBIT" campaign jobs "$campaign" slurm --workers 4 >"$work/job" || fail "campaign jobs"
job=$(sbatch --parsable "$work/job") || fail "sbatch"

wait_until has_results 200
wait_until has_lease
lease=$(ls "$campaign/leases" | head -n 1)
worker=${lease#*.*.}                          # HOST-PID-RANDOM
process=${worker%-*}
kill -KILL "${process##*-}" || fail "there is no process of $worker"
echo "killed $worker after $(ls "$campaign/results" | wc -l) results"

wait_until has_results 500
# Choose a worker that is still running.
task=$(squeue -h -r -t RUNNING -o %K | sort | tail -n 1)
scancel "${job}_$task" || fail "scancel"
wait_until has_stopped "$task"
echo "cancelled task $task after $(ls "$campaign/results" | wc -l) results"

wait_until has_no_jobs
[ -s "$campaign/result.json" ] || fail "there is no merged result"
"$AMBIT" check --json -j 2 "${files[@]}" >"$work/expected.json" 2>"$work/errors"
expected_status=$?
cmp "$work/expected.json" "$campaign/result.json" || fail "the merged result differs from that of one process"
"$AMBIT" campaign merge "$campaign" >"$work/merged.json"
[ $? = $expected_status ] || fail "campaign merge has another exit status than ambit check"
cmp "$work/expected.json" "$work/merged.json" || fail "campaign merge differs"
echo "the merged result of 1000 tests is equal to that of one process"
