by_default() {
  curl --silent --show-error --fail --retry 3 --request "$method" ${body:+--json "$body"} "$url"
}
