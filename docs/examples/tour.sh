#!/usr/bin/env bash
# A tour of a pool with curl: store, read, look, drain, remove. Changes nothing but its own object,
# unless DRAIN names a node to drain.
#
#   MASTER=http://127.0.0.1:9003 NODE=http://127.0.0.1:9301 docs/examples/tour.sh
#
# Where tokens are configured, TOKEN holds them (one for both).
set -euo pipefail

master=${MASTER:-http://127.0.0.1:9003}
node=${NODE:-http://127.0.0.1:9300}
key=tour/object-$$
path=tour%2Fobject-$$

ask() { curl --silent --show-error --fail-with-body ${TOKEN:+-H "Authorization: Bearer $TOKEN"} "$@"; }
step() { printf '\n== %s\n' "$*"; }

step "is it well?"
ask "$master/health/ready"

step "the pool, its nodes and what they lend"
ask "$master/api/v1/cluster"
ask "$master/api/v1/clients"
ask "$master/api/v1/segments"

step "store an object through a node"
seq 100000 | ask -X PUT --data-binary @- "$node/v1/objects/$key"

step "read all of it, and the first ten bytes"
ask "$node/v1/objects/$key" | cksum
ask -H 'Range: bytes=0-9' "$node/v1/objects/$key"

step "where is it?"
ask "$master/api/v1/objects/$path"

step "an error says what to do"
curl --silent ${TOKEN:+-H "Authorization: Bearer $TOKEN"} "$master/api/v1/objects/no-such-key"

step "what would a drain of the first node do? (nothing is moved)"
first=$(ask "$master/api/v1/clients" | sed 's/^[^}]*"node_id":"\([^"]*\)".*/\1/')
ask -d "{\"node\": \"$first\", \"plan\": true}" "$master/api/v1/drain_jobs"

if [ -n "${DRAIN:-}" ]; then
  step "drain $DRAIN, and hear how it goes until it has ended"
  job=$(ask -d "{\"node\": \"$DRAIN\"}" "$master/api/v1/drain_jobs") || { echo "$job"; exit 1; }
  job=$(sed 's/.*"job_id":"\([^"]*\)".*/\1/' <<< "$job")
  ask -N "$master/api/v1/drain_jobs/$job/events" | grep --line-buffered '^event:'
  step "have it take objects again"
  ask -d "{\"node\": \"$DRAIN\"}" "$master/api/v1/undrain"
fi

step "remove it, though it was read just now"
ask -X DELETE "$master/api/v1/objects/$path?force=true"
echo
