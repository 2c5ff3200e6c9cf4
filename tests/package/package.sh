#!/usr/bin/env bash
# package.sh BUILD FOLDER: makes the Debian package in FOLDER and checks its metadata and contents.
set -euo pipefail
build=$1 folder=$2

fail() {
  echo "package.sh: $*" >&2
  exit 1
}

for tool in dpkg-deb dpkg-shlibdeps; do
  if ! command -v "$tool" >/dev/null; then
    echo "skipped: $tool is not installed (package dpkg-dev)"
    exit 77
  fi
done

rm -rf "$folder"
mkdir -p "$folder"
# Compress with gzip, because gzip is fast and the test does not check the size of the package.
cpack --config "$build/CPackConfig.cmake" -D CPACK_DEBIAN_COMPRESSION_TYPE=gzip -B "$folder" >"$folder/cpack.log" 2>&1 || { cat "$folder/cpack.log"; exit 1; }
packages=("$folder"/*.deb)
[[ ${#packages[@]} == 1 && -f ${packages[0]} ]] || fail "expected one package, found ${packages[*]}"
package=${packages[0]}

field() { dpkg-deb --field "$package" "$1"; }
[[ "$(field Package)" == ambit ]] || fail "Package: $(field Package)"
[[ "$(field Architecture)" == "$(dpkg --print-architecture)" ]] || fail "Architecture: $(field Architecture)"
[[ "$(field Version)" == "$(sed -n 's/^set(CPACK_PACKAGE_VERSION "\(.*\)")$/\1/p' "$build/CPackConfig.cmake")" ]] || fail "Version: $(field Version)"
[[ -n "$(field Maintainer)" && -n "$(field Description)" ]] || fail "no maintainer or description"
# dpkg-shlibdeps derives these dependencies from the libraries that the program links.
for library in libc6 libz3 libantlr4-runtime libfmt libstdc++6; do
  grep -q "$library" <<<"$(field Depends)" || fail "Depends lacks $library: $(field Depends)"
done

dpkg-deb --contents "$package" >"$folder/contents"
for file in usr/bin/ambit usr/share/man/man1/ambit.1 usr/share/man/man1/ambit-check.1 \
  usr/share/bash-completion/completions/ambit usr/share/zsh/vendor-completions/_ambit \
  usr/share/fish/vendor_completions.d/ambit.fish usr/share/doc/ambit/copyright usr/share/doc/ambit/CHANGELOG.md \
  usr/share/ambit/cat/ptx.cat usr/share/ambit/litmus/scor/; do
  grep -q " \./$file$" "$folder/contents" || fail "the package lacks $file"
done
if grep -v ' \./$\| \./usr/' "$folder/contents"; then fail "these files stand outside /usr"; fi
if grep -v ' root/root ' "$folder/contents"; then fail "these files do not belong to root"; fi
echo "package: $(basename "$package"), $(du -k "$package" | cut -f1) KiB"
