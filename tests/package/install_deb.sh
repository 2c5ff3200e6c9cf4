#!/usr/bin/env bash
# install_deb.sh FOLDER: installs the package in FOLDER into a clean Debian 12, and runs the program there. The script
# needs root, debootstrap and apt's sources of Debian 12. Without them, the test is skipped (exit status 77). The script
# takes some minutes and 600 MB.
set -euo pipefail
folder=$1

skip() {
  echo "skipped: $*"
  exit 77
}

[[ "$(id -u)" == 0 ]] || skip "a clean root needs root"
command -v debootstrap >/dev/null || skip "debootstrap is not installed"
packages=("$folder"/*.deb)
[[ -f ${packages[0]} ]] || skip "there is no package in $folder"
# The mirror that this machine's apt uses.
mirror=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Identifier: Packages' |
  sed -n 's/ bookworm main$//p' | head -n 1)
[[ -n $mirror ]] || skip "apt has no source of Debian 12 (bookworm)"

scratch=$(mktemp -d)
root=$scratch/root
clean() {
  umount "$root/proc" 2>/dev/null || true
  rm -rf --one-file-system "$scratch"
}
trap clean EXIT

# Without a network or the right to mount, this machine cannot create the Debian system, and the test cannot check the
# package.
debootstrap --variant=minbase bookworm "$root" "$mirror" >"$scratch/log" 2>&1 || {
  tail -n 5 "$scratch/log"
  skip "debootstrap failed"
}
# The runtime of the address sanitizer needs /proc, which every Debian has. If this script cannot mount /proc, the
# program runs without /proc.
mountpoint -q "$root/proc" || mount -t proc proc "$root/proc" || true
cp -r /etc/apt/apt.conf.d /etc/apt/trusted.gpg.d "$root/etc/apt/"
cp -r /usr/share/keyrings/. "$root/usr/share/keyrings/"
cp /etc/resolv.conf "$root/etc/" 2>/dev/null || true
cp "${packages[0]}" "$root/tmp/ambit.deb"
mkdir "$root/work"
cp "$(dirname "${BASH_SOURCE[0]}")/../support/mp.litmus" "$root/work/"

inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive \
  http_proxy="${http_proxy:-}" https_proxy="${https_proxy:-}" bash -ec "$1"; }
inside 'apt-get update && apt-get install -y --no-install-recommends /tmp/ambit.deb' >"$scratch/log" 2>&1 || {
  tail -n 20 "$scratch/log"
  exit 1
}
inside 'cd /work && ambit --version && ambit check mp.litmus && ambit check /usr/share/ambit/litmus/scor -q'
inside 'apt-get purge -y ambit && ! command -v ambit && ! ls -d /usr/share/ambit /usr/share/doc/ambit 2>/dev/null' \
  >"$scratch/log" 2>&1 || {
  tail -n 20 "$scratch/log"
  exit 1
}
echo "install_deb: installed, ran and was removed in a clean Debian 12"
