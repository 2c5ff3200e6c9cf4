#!/usr/bin/env bash
# wheel.sh BUILD SOURCE FOLDER PYTHON PROGRAM: makes the wheel in FOLDER and installs it in an empty virtual environment
# of PYTHON. Uses the module and the program there, then removes the wheel. PROGRAM is a CUDA program for `ambit exec`.
set -euo pipefail
build=$1 source=$2 folder=$3 python=$4 cuda_program=$5
here=$(dirname "${BASH_SOURCE[0]}")

skip() {
  echo "skipped: $*"
  exit 77
}

fail() {
  echo "wheel.sh: $*" >&2
  exit 1
}

[[ -x $python ]] || skip "the Python module is not built"
command -v patchelf >/dev/null || skip "patchelf is not installed"
command -v dpkg-query >/dev/null || skip "dpkg is not installed, so the licences of the libraries are unknown"
"$python" -c 'import ensurepip, venv' 2>/dev/null || skip "python3-venv is not installed"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
rm -rf "$folder"
wheel=$("$python" "$source/cmake/package/wheel.py" "$build" "$folder")
"$python" "$here/wheel_contents.py" "$wheel"

# Runs a command without the variables of this shell. Python must not write .pyc files, which pip would not remove.
clean() { env -i PATH=/usr/bin:/bin HOME="$scratch" PYTHONDONTWRITEBYTECODE=1 PIP_DISABLE_PIP_VERSION_CHECK=1 "$@"; }

clean "$python" -m venv "$scratch/venv"
find "$scratch/venv" -type f | sort >"$scratch/before"
clean "$scratch/venv/bin/pip" install --quiet --no-index --no-deps "$wheel"
[[ "$(clean "$scratch/venv/bin/pip" check)" == "No broken requirements found." ]] || fail "pip check reports a problem"

cp "$source/tests/python/notebook.py" "$source/docs/notebooks/tutorial.ipynb" "$here/wheel_libraries.py" "$scratch"
cp "$source/tests/support/mp.litmus" "$scratch"
sed '/^expect /d' "$scratch/mp.litmus" >"$scratch/race.litmus"
cp -r "$source/litmus/scor" "$scratch/scor"
cp "$cuda_program" "$scratch/cuda_program"

# This script runs the notebook, `ambit check` and `ambit exec`, and checks the libraries that the module and the
# program load.
cat >"$scratch/use.sh" <<'SH'
set -euo pipefail
cd "$(dirname "$0")"
python=$PWD/venv/bin/python ambit=$PWD/venv/bin/ambit
"$python" notebook.py tutorial.ipynb
"$python" wheel_libraries.py mp.litmus
[[ "$("$ambit" --version)" == "ambit "* ]]
"$ambit" check -q scor
status=0
"$ambit" check race.litmus --fail-on-race >/dev/null || status=$?
[[ $status == 1 ]] || { echo "check --fail-on-race: status $status"; exit 1; }
status=0
"$ambit" exec --schedule rr ./cuda_program hand-over-narrow >exec.out 2>&1 || status=$?
[[ $status == 1 ]] && grep -q 'race on' exec.out || { cat exec.out; exit 1; }
SH
clean bash "$scratch/use.sh"

# If this machine allows namespaces, repeats these steps without network, build tree and bundled libraries. Libraries
# that Graphviz or Python themselves need remain visible.
namespaces=(unshare --mount --net)
[[ "$(id -u)" == 0 ]] || namespaces+=(--map-root-user)
if "${namespaces[@]}" true 2>/dev/null; then
  shopt -s nullglob
  kept=$(ldd "$(command -v neato || echo /bin/true)" /usr/lib/*/graphviz/libgvplugin_* \
    "$("$python" -c 'import sysconfig; print(sysconfig.get_path("platstdlib"))')"/lib-dynload/*.so 2>/dev/null || true)
  hidden=()
  for library in "$scratch"/venv/lib/python3*/site-packages/ambit.libs/*; do
    name=$(basename "$library" | sed -E 's/-[0-9a-f]{8}\.so/.so/')
    path=$(ldconfig -p | sed -n "s|^\s*$name .* => ||p" | head -n 1)
    grep -q "\s$name " <<<"$kept" || [[ -z $path ]] || hidden+=("$(realpath "$path")")
  done
  [[ ${#hidden[@]} -gt 0 ]] || fail "the wheel bundles no library that can be hidden"
  # shellcheck disable=SC2016
  clean "${namespaces[@]}" bash -euc '
    use=$1 source=$2
    shift 2
    for library in "$@"; do mount --bind /dev/null "$library"; done
    mount -t tmpfs none "$source"
    bash "$use"' hide "$scratch/use.sh" "$source" "${hidden[@]}"
  echo "wheel: works without ${hidden[*]##*/}"
fi

clean "$scratch/venv/bin/pip" uninstall --quiet --yes ambit
find "$scratch/venv" -type f | sort | diff "$scratch/before" - || fail "these files remain after pip uninstall"
echo "wheel: $(basename "$wheel"), $(du -k "$wheel" | cut -f1) KiB"
