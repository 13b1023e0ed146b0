#!/usr/bin/env bash
# Asks for customers by e-mail, each time on a new connection.
set -u
ask() { curl -s -m 30 -o /dev/null -w '%{http_code}' "$@" -G --data-urlencode "email=$email" "$LOYALTY_SIM_URL/api/v3/contacts/id"; }

email=nobody.here@example.com
case $1 in
  stubborn)
    for pause in 0.1 0.1 0.1; do
      [ "$(ask)" = 200 ] && break
      sleep $pause
    done ;;
  stubborn-declared)
    for pause in 0.1 0.1 0.1; do
      [ "$(ask -H 'x-sim-client: door-1')" = 200 ] && break
      sleep $pause
    done ;;
  once)
    ask
    email=astrid.lindqvist@example.com
    for pause in 0.1 0.2 0.4; do
      [ "$(ask)" = 200 ] && break
      sleep $pause
    done ;;
  gives-up)
    email=astrid.lindqvist@example.com
    ask
    email=johan.bergstrom@example.com
    ask ;;
esac
exit 0
