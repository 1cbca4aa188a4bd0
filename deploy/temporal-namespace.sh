# Creates the namespace and the search attributes that jobs are found by. Safe to repeat.
# Needs the Temporal CLI, and in the environment TEMPORAL_ADDRESS and TEMPORAL_NAMESPACE, and what the CLI reads besides (TEMPORAL_API_KEY, TEMPORAL_TLS_…).
set -eu
temporal operator namespace describe --namespace "$TEMPORAL_NAMESPACE" ||
  temporal operator namespace create --namespace "$TEMPORAL_NAMESPACE" --retention 7d

# Each server of a cluster reads the namespaces every ten seconds, and refuses attributes of one that it does not know yet.
attempts=30
create() {
  until temporal operator search-attribute create --namespace "$TEMPORAL_NAMESPACE" --name "$1" --type Keyword; do
    attempts=$((attempts - 1))
    [ "$attempts" -gt 0 ] || exit 1
    sleep 1
  done
}
for name in TeamId OrganizationId JobType JobStatus; do create "$name"; done
