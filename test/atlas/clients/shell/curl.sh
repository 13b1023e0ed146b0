by_default() {
  curl --silent --show-error --fail --request "$method" ${body:+--json "$body"} "$url"
}

# The recipe
recipe() {
  local attempt status retry_after pause
  for attempt in 1 2 3 4; do
    read -r status retry_after < <(send "$method" "$url" "$body")
    [ "$status" != 429 ] && [ "$status" -gt 0 ] && [ "$status" -lt 500 ] && return 0
    pause=$(awk "BEGIN { print 0.15 * 2 ^ $attempt }")
    sleep "$(printf '%s\n' "$pause" "${retry_after:-0}" | sort -g | tail -1)"
    # A new contact has no key of its own: look whether it was created, before it is sent again.
    if [ -n "$look" ]; then
      read -r status _ < <(send GET "$look")
      [ "$status" != 404 ] && return 0 # it was created, or nobody says: then a person looks
    fi
  done
  return 1 # keep the request in a queue on disk, and send it later
}

# The status and Retry-After; 0 without a response, or when it is cut.
send() {
  local told
  told=$(curl --silent --max-time 10 --request "$1" ${3:+--json "$3"} ${key:+--header "Idempotency-Key: $key"} \
    --output /dev/null --write-out '%{http_code} %header{retry-after}' "$2") && echo "$told" || echo 0
}
