#!/usr/bin/env bash
# Makes the source archive of the last commit in FOLDER, gsst-<version>.tar.gz, and beside it its checksum for
# `sha256sum --check`. The same commit gives the same bytes.
set -euo pipefail
folder=${1:?usage: tools/make_archive.sh FOLDER}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
cd "$(dirname "$0")/.."

version=$(git show HEAD:CMakeLists.txt | sed -nE 's/^project\(gsst VERSION ([0-9.]+).*/\1/p')
[[ -n $version ]] || {
  echo "CMakeLists.txt of the last commit names no version" >&2
  exit 1
}
git diff --quiet HEAD || echo "Changes that are not committed are left out of the archive." >&2
name=gsst-$version.tar.gz
git archive --format=tar --prefix="gsst-$version/" HEAD | gzip --no-name --best >"$folder/$name.unfinished"
mv "$folder/$name.unfinished" "$folder/$name"
(cd "$folder" && sha256sum "$name" >"$name.sha256")
echo "$folder/$name"
