#!/usr/bin/env bash
# Where no registry of images answers: makes the base image of the Dockerfile, $1, from this machine's own programs. It has Node.js, npm, a
# shell and a dozen commands, the certificates of this machine, and an account `node`.
set -euo pipefail
name=$1 node=$2 npm=$3
root=$(mktemp --directory)
trap 'rm -rf "$root"' EXIT

libraries() { ldd "$1" 2>/dev/null | grep --only-matching '/[^ ]*' || true; }
add() { # <program> <name>
  install -D "$(readlink --canonicalize "$1")" "$root/usr/bin/$2"
  libraries "$1" | while read -r library; do install -D "$library" "$root$library"; done
}
for command in sh rm ls cat env mkdir cp id; do add "$(command -v "$command")" "$command"; done
add "$node" node
# Of names, and of the native modules.
for library in libnss_dns.so.2 libnss_files.so.2 libresolv.so.2 librt.so.1 libgcc_s.so.1 libpthread.so.0 libdl.so.2 libm.so.6; do
  path=$(ldconfig -p | grep --max-count=1 --only-matching "/[^ ]*$library")
  install -D "$path" "$root$path"
done
mkdir -p "$root"/{tmp,root,home/node,etc/ssl/certs,usr/lib/node_modules}
cp --recursive --dereference "$npm" "$root/usr/lib/node_modules/npm"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/bin/npm"
ln -s usr/bin "$root/bin"
printf 'root:x:0:0:root:/root:/bin/sh\nnode:x:1000:1000::/home/node:/bin/sh\n' >"$root/etc/passwd"
printf 'root:x:0:\nnode:x:1000:\n' >"$root/etc/group"
cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
chmod 1777 "$root/tmp"

container=$(buildah from scratch)
buildah copy --quiet "$container" "$root" /
buildah config --env PATH=/usr/bin:/bin --env NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt "$container"
buildah commit --quiet --rm "$container" "$name"
