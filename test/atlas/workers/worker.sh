#!/usr/bin/env bash
# Sends the requests that it is told of, one after the other: bash worker.sh <file> byDefault|recipe.
# The fields of a request are variables: name, method, url, body, key and look.
source "$1"
[ "$2" = recipe ] && send=recipe || send=by_default

# A tab would be taken for white space, and empty fields be lost.
while IFS=$'\x1f' read -r name method url body key look; do
  # Each call is a process of its own: there is no connection to open before.
  if [ "$name" != warm-up ]; then $send </dev/null >/dev/null 2>&1; fi
  echo "done"
done < <(exec sed -u 's/\t/\x1f/g')
