#!/usr/bin/env bash
# Adds points by curl, as a marketing department's script does.
set -u
contact=5a0e7c1e-0001-4000-8000-000000000001
rows="[{\"contactId\":\"$contact\",\"definitionId\":2,\"amount\":50,\"timeStamp\":\"2026-11-20T10:15:00Z\",\"source\":\"Adjustment\",\"description\":\"Campaign 7\"}]"
add() { curl -s -m 30 -o "$WORK_FOLDER/response" -w '%{http_code}' -H 'content-type: application/json' "$@" -d "$rows" "$LOYALTY_SIM_URL/api/v3/point-accounts/transactions"; }
points() { curl -s -m 30 -f "$LOYALTY_SIM_URL/api/v3/point-accounts?contactId=$contact"; }

case $1 in
  curl-retry) add --retry 3 --retry-delay 1 --retry-all-errors ;;
  keyed) add --retry 3 --retry-delay 1 --retry-all-errors -H 'Idempotency-Key: campaign-7' ;;
  looks)
    before=$(points)
    for attempt in 1 2 3; do
      [ "$(add)" = 202 ] && break
      sleep 0.1
      now=$(points) || continue
      [ "$now" != "$before" ] && break
    done ;;
  ignores-look)
    for attempt in 1 2 3; do
      [ "$(add)" = 202 ] && break
      sleep 0.1
      points > /dev/null
    done ;;
esac
exit 0
