#!/usr/bin/env bash
# Makes the image of compose.yml on the base image $1: with the PostgreSQL in $2, the Redis of this machine and the Temporal $3.
set -euo pipefail
base=$1 postgres=$2 temporal=$3
here=$(dirname "$0")
container=$(buildah from --pull-never "$base")
root=$(buildah mount "$container")
add() { # <program> <name>
  install -D "$(readlink --canonicalize "$1")" "$root/usr/bin/$2"
  ldd "$1" 2>/dev/null | grep --only-matching '/[^ ]*' | while read -r library; do
    [ -e "$root$library" ] || install -D "$library" "$root$library"
  done || true
}
add "$(command -v redis-server)" redis-server
add "$(command -v redis-cli)" redis-cli
add "$(command -v grep)" grep
add "$(command -v mkdir)" mkdir
add "$temporal" temporal
cp --recursive "$postgres" "$root/postgres"
ldd "$postgres/bin/postgres" | grep --only-matching '/[^ ]*' | grep --invert-match "^$postgres" | while read -r library; do
  [ -e "$root$library" ] || install -D "$library" "$root$library"
done
mkdir -p "$root/stand-ins" "$root/data"
cp "$here"/*.mjs "$root/stand-ins/"
chmod +x "$root/stand-ins/is-open.mjs"
ln -s ../../stand-ins/is-open.mjs "$root/usr/bin/nc"
ln -s ../../stand-ins/is-open.mjs "$root/usr/bin/pg_isready"
printf '#!/bin/sh\n# The development server has a store of its own.\n' >"$root/usr/bin/temporal-sql-tool"
chmod +x "$root/usr/bin/temporal-sql-tool"
printf 'redis:x:999:1000::/data:/bin/sh\n' >>"$root/etc/passwd"
buildah unmount "$container" >/dev/null
buildah config --cmd postgres --entrypoint '[]' "$container"
buildah commit --quiet --rm "$container" localhost/job-gateway-stand-ins
