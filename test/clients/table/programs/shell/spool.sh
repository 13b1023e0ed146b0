#!/usr/bin/env bash
# Delivers a folder of files, as cron starts it; a file that is delivered is moved away. Killed by its argument after a delivery.
set -u
behaviour=$1
crash=${2:-no}
spool="$WORK_FOLDER/spool"
url="$LOYALTY_SIM_URL/api/v3/receipts"

if [ ! -d "$spool" ]; then
  mkdir -p "$spool" "$WORK_FOLDER/done"
  for number in 1 2 3; do
    cat > "$spool/$number.json" <<END
{"contact":{"matchKey":"5a0e7c1e-0001-4000-8000-00000000000$number","matchKeyType":"contactId"},"uniqueReceiptId":"spool-$number","receiptNumber":"$number","createdDate":"2026-11-20T10:15:00Z","storeExternalId":"100","currency":"SEK","totalGrossPrice":99,"paymentMethods":[{"type":"CARD","value":99}],"items":[{"type":"PURCHASE","quantity":1,"grossPaidPrice":99,"taxAmount":19.8,"taxPercent":25,"sku":"1","articleNumber":"1","articleName":"Socks"}]}
END
  done
fi

for file in "$spool"/*.json; do
  [ -f "$file" ] || continue
  status=$(curl -s -m 30 -o /dev/null -w '%{http_code}' -A "spool/1" -H 'content-type: application/json' -d "@$file" "$url")
  [ "$crash" = after-delivery ] && kill -9 $$
  case $behaviour in
    right) if [ "$status" = 202 ]; then mv "$file" "$WORK_FOLDER/done"; else exit 0; fi ;;
    deletes-all) mv "$file" "$WORK_FOLDER/done" ;;
  esac
done
exit 0
