#!/usr/bin/env bash
# Redeems a coupon by curl.
set -u
coupon=9b1d0c00-aaaa-4000-8000-000000000001
redeem() { curl -s -m 30 -o /dev/null -w '%{http_code}' -X POST -H 'content-type: application/json' -d '{"redemptionChannel":"POS"}' "$LOYALTY_SIM_URL/api/v3/promotions/codes/$1/redeem"; }

case $1 in
  right)
    for pause in 0.1 0.2 0.4; do
      case $(redeem $coupon) in 200 | 409) break ;; esac
      sleep $pause
    done ;;
  drops)
    redeem $coupon
    curl -s -o /dev/null "$LOYALTY_SIM_URL/api/v3/promotion-assignments?contactId=5a0e7c1e-0001-4000-8000-000000000002" ;;
  knocks)
    for pause in 0.1 0.1 0.1 0.1; do
      [ "$(redeem $coupon)" = 204 ] && break
      sleep $pause
    done ;;
esac
exit 0
