require 'net/http'

def by_default(call)
  uri = URI(call.url)
  response = Net::HTTP.start(uri.host, uri.port) do |http|
    http.request(request_of(call.method, uri, call.headers, call.body))
  end
  response.value
end

def request_of(method, uri, headers, body)
  request = Net::HTTP.const_get(method.capitalize).new(uri, headers)
  request.body = body unless body.empty?
  request
end

# The recipe
def recipe(call)
  headers = call.headers.merge(call.key.empty? ? {} : { 'Idempotency-Key' => call.key })
  4.times do |attempt|
    status, retry_after = send_once(call.method, call.url, headers, call.body)
    return status if status && status != 429 && status < 500

    sleep [0.3 * 2**attempt, retry_after].max
    # A new contact has no key of its own: look whether it was created, before it is sent again.
    return 201 if !call.look.empty? && there?(call.look)
  end
  raise 'not delivered' # keep the request in a queue on disk, and send it later
end

# The status and Retry-After; no status without a response, or when it is cut.
def send_once(method, url, headers = {}, body = '')
  uri = URI(url)
  limits = { open_timeout: 10, read_timeout: 10, max_retries: 0 }
  response = Net::HTTP.start(uri.host, uri.port, **limits) { |http| http.request(request_of(method, uri, headers, body)) }
  is_cut = response.body.to_s.bytesize < response['Content-Length'].to_i # nothing else tells
  [is_cut ? nil : response.code.to_i, response['Retry-After'].to_i]
rescue SystemCallError, Timeout::Error, IOError, Net::HTTPBadResponse
  [nil, 0]
end

def there?(look)
  status, = send_once('GET', look)
  raise 'nobody says whether it is there' unless [200, 404].include?(status)

  status == 200
end
