#!/usr/bin/env bash
# Sends the receipts of a day by curl, each on a connection of its own.
set -u
behaviour=$1
url="$LOYALTY_SIM_URL/api/v3/receipts"

receipt() { # contact key
  printf '{"contact":{"matchKey":"%s","matchKeyType":"contactId"},"uniqueReceiptId":"%s","receiptNumber":"%s","createdDate":"2026-11-20T10:15:00Z","storeExternalId":"100","currency":"SEK","totalGrossPrice":249,"paymentMethods":[{"type":"CARD","value":249}],"items":[{"type":"PURCHASE","quantity":1,"grossPaidPrice":249,"taxAmount":49.8,"taxPercent":25,"sku":"1001-M","articleNumber":"1001","articleName":"T-shirt"}]}' "$1" "$2" "$2"
}

send() { curl -s -m 30 -o "$WORK_FOLDER/response" -w '%{http_code}' -H 'content-type: application/json' "$@" "$url"; }

number=0
for contact in 5a0e7c1e-0001-4000-8000-000000000001 5a0e7c1e-0001-4000-8000-000000000002; do
  number=$((number + 1))
  case $behaviour in
    right)
      for pause in 0.1 0.2 0.4 0; do
        [ "$(send -d "$(receipt $contact "day-$number")")" = 202 ] && break
        sleep $pause
      done ;;
    new-key)
      for attempt in 1 2 3 4; do
        [ "$(send -d "$(receipt $contact "day-$number-$attempt")")" = 202 ] && break
        sleep 0.1
      done ;;
    curl-retry)
      send --retry 3 --retry-delay 1 --retry-all-errors -d "$(receipt $contact "day-$number")" ;;
    drops)
      send -d "$(receipt $contact "day-$number")" ;;
    until-empty)
      for attempt in 1 2 3; do
        [ -z "$(curl -s -m 30 -H 'content-type: application/json' -d "$(receipt $contact "day-$number")" "$url")" ] && break
        sleep 0.1
      done ;;
  esac
done
exit 0
