#!/usr/bin/env bash
# Tries both commands of the README and `make site` in a bare Debian 12, made with debootstrap in a temporary folder, on
# a clone of the committed state of this repository: once everything is installed, `make figures` without a network,
# then `make test`, `make figures` again, and the course without what compiles its codec. Needs root, debootstrap and
# about 4 GB of disk; takes 10 to 30 minutes.
#
#   tools/try_in_fresh_debian.sh [tiny|default|paper]     the scale of the figures (default: default)
#
# The host's package sources, proxies and pip settings are used, as they are when the script runs. With GSST_DATA_DIR
# set, that folder is visible in the new system at the same path, read-only, to all but the run without a network;
# without it the data is made there.
set -euo pipefail
repository=$(cd "$(dirname "$0")/.." && pwd)
scale=${1:-default}

if [[ $(id -u) != 0 ]]; then
  echo "run this as root: debootstrap and chroot need it" >&2
  exit 1
fi
if ! command -v debootstrap >/dev/null; then
  echo "debootstrap is missing: apt-get install debootstrap" >&2
  exit 1
fi
# Mounts are made in a mount namespace of this script's own: they end with it, however it ends.
if [[ -z ${GSST_IN_NAMESPACE:-} ]]; then
  GSST_IN_NAMESPACE=1 exec unshare --mount --propagation private "$0" "$@"
fi

root=$(mktemp -d "${TMPDIR:-/tmp}/gsst_fresh_debian.XXXXXX")
chmod 755 "$root" # apt drops its privileges to download
clean_up() {
  local mounts
  mounts=$(awk -v root="$root/" 'index($2, root) == 1 { print $2 }' /proc/mounts | sort -r)
  for mount in $mounts; do
    umount "$mount" || return # what is still mounted must not be deleted
  done
  rm -rf --one-file-system "$root" "$root.log"
}
trap clean_up EXIT

copy_from_host() { # PATH...: to the same place, where the host has it
  local path
  for path in "$@"; do
    [[ -e $path ]] || continue
    mkdir -p "$root$(dirname "$path")"
    cp -rL "$path" "$root$(dirname "$path")/"
  done
}

show_from_host() { # FOLDER: read-only, at the same path
  mkdir -p "$root$1"
  mount --rbind "$1" "$root$1"
  mount -o remount,bind,ro "$root$1"
}

# pip's options of the host that name a file or a folder, one path to a line.
pip_paths() {
  python3 -m pip config list 2>/dev/null | sed -nE "s/^[^=]*(cert|find-links)='(.*)'$/\2/p" | tr ' ' '\n' | sort -u
}

host_is_debian_12=$(. /etc/os-release && [[ ${ID:-} == debian && ${VERSION_ID:-} == 12 ]] && echo yes || echo no)
mirror=http://deb.debian.org/debian
if [[ $host_is_debian_12 == yes ]]; then
  mirror=$(apt-get indextargets --format '$(CODENAME) $(REPO_URI)' 'Created-By: Packages' |
    awk '$1 == "bookworm" { print $2; exit }')
fi

echo "== a bare Debian 12 in $root"
debootstrap --variant=minbase bookworm "$root" "${mirror%/}" >"$root.log" 2>&1 || {
  tail -n 20 "$root.log" >&2
  exit 1
}
copy_from_host /etc/resolv.conf /etc/hosts /etc/pip.conf /usr/local/share/ca-certificates
if [[ $host_is_debian_12 == yes ]]; then
  rm -f "$root/etc/apt/sources.list"
  copy_from_host /etc/apt/sources.list /etc/apt/sources.list.d /etc/apt/auth.conf.d /etc/apt/apt.conf.d /etc/apt/keyrings
fi
for file in "$HOME/.config/pip/pip.conf" "$HOME/.pip/pip.conf"; do
  [[ -e $file ]] && install -D "$file" "$root/root/.config/pip/pip.conf"
done
while read -r path; do
  if [[ -d $path ]]; then
    show_from_host "$path"
  else
    copy_from_host "$path"
  fi
done < <(pip_paths)
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
git clone --quiet --no-hardlinks "$repository" "$root/root/gsst"
git -C "$repository" diff --quiet HEAD || echo "uncommitted changes in $repository are not part of the trial"

settings=(HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin)
while read -r name; do
  settings+=("$name=${!name}")
done < <(compgen -e | grep -iE '^(https?_proxy|ftp_proxy|all_proxy|no_proxy|PIP_.*)$')
if [[ -n ${GSST_DATA_DIR:-} ]]; then
  show_from_host "$(realpath "$GSST_DATA_DIR")"
  settings+=("GSST_DATA_DIR=$(realpath "$GSST_DATA_DIR")")
fi

in_fresh_system() { # COMMAND [PREFIX]...: run in the clone, with its duration
  local start=$SECONDS command=$1
  shift
  printf '\n== %s\n' "$command"
  env -i "${settings[@]}" "$@" chroot "$root" bash -euo pipefail -c "cd /root/gsst && $command"
  printf '== %s: %d s\n' "$command" $((SECONDS - start))
}

in_fresh_system 'apt-get -qq update && apt-get -qq install -y make git >/dev/null'
in_fresh_system 'make python-packages'
echo "without a network, and without data of the host:"
in_fresh_system "make figures SCALE=$scale" env --unset=GSST_DATA_DIR unshare --net
in_fresh_system 'ls results/figures/*.png | wc -l'
in_fresh_system 'make test'
in_fresh_system "make figures SCALE=$scale"
in_fresh_system 'ls -l results/figures results/index.html'
in_fresh_system 'make site EMSCRIPTEN=no'
in_fresh_system 'ls -l build/site/index.html'
echo "the commands work in a bare Debian 12"
