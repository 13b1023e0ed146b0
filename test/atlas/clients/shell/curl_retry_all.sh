by_default() {
  curl --silent --show-error --fail --retry 3 --retry-all-errors --request "$method" ${body:+--json "$body"} "$url"
}
