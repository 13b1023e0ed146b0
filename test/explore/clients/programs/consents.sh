#!/usr/bin/env bash
# Keeps the consents of three customers, and thanks them with points, by curl. Its argument names a defect.
set -u
defect=${1:-none}
client=consents-$defect
body=$(mktemp -p "${TILL_FOLDER:-.}")
head=$(mktemp -p "${TILL_FOLDER:-.}")
trap 'rm -f "$body" "$head"' EXIT

# attempt METHOD PATH [TEXT]: sets $status to 000 when no whole response came; a write with status 2xx is done.
attempt() {
  local sent=(-H "User-Agent: $client/1.0" -H "x-sim-client: $client" -H 'Expect:')
  [ -n "${LOYALTY_SIM_API_KEY:-}" ] && sent+=(-H "apikey: $LOYALTY_SIM_API_KEY")
  [ $# -gt 2 ] && sent+=(-H 'Content-Type: application/json' --data-binary "$3")
  status=$(curl -s -X "$1" --max-time 0.4 -o "$body" -D "$head" -w '%{http_code}' "${sent[@]}" ${extra:-} "$LOYALTY_SIM_URL$2")
  local ended=$?
  if [ $ended -ne 0 ] && ! { [ "$1" != GET ] && [ "${status:0:1}" = 2 ]; }; then status=000; fi
}

asked() { tr -d '\r' <"$head" | awk 'tolower($1) == "retry-after:" { print $2 }'; }

# call METHOD PATH [TEXT]: at most four attempts; fails when none was answered for good.
call() {
  local pause
  for pause in 0.024 0.048 0.096 none; do
    : >"$head"
    attempt "$@"
    case $status in 000 | 429 | 500 | 502 | 503 | 504) ;; *) return 0 ;; esac
    [ $pause = none ] && break
    local wait; wait=$(asked)
    sleep "${wait:-$pause}"
  done
  return 1
}

# insist METHOD PATH [TEXT]: goes on for about five seconds.
insist() {
  local round
  for round in 0.25 0.5 0.75 1 1 1 1; do
    call "$@" && return 0
    local wait; wait=$(asked)
    sleep "${wait:-$round}"
  done
  return 1
}

number=0
for contact in 5a0e7c1e-0001-4000-8000-000000000001 5a0e7c1e-0001-4000-8000-000000000002 5a0e7c1e-0001-4000-8000-000000000003; do
  number=$((number + 1))
  insist GET "/api/v3/contacts/$contact"
  insist POST "/api/v3/contacts/$contact" '{"consents":[{"id":"newsletter","value":true,"source":"POS"},{"id":"postal","value":false,"source":"POS"}]}'
  now=$(date -u +%Y-%m-%dT%H:%M:%S.000Z)
  points="[{\"contactId\":\"$contact\",\"definitionId\":2,\"amount\":5,\"timeStamp\":\"$now\",\"source\":\"Adjustment\",\"description\":\"Consents $number\"}]"
  if [ "$defect" = curl-retries ] && [ $number = 2 ]; then
    # curl knows how to retry.
    extra='--retry 3 --retry-all-errors --retry-delay 1' attempt POST /api/v3/point-accounts/transactions "$points"
  else
    extra="-H Idempotency-Key:$client-$number" insist POST /api/v3/point-accounts/transactions "$points"
  fi
  insist PATCH "/api/v3/contacts/$contact" '{"language":"sv-SE"}'
done
