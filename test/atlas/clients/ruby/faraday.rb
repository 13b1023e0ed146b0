require 'faraday'

def by_default(call)
  response = Faraday.run_request(call.method.downcase.to_sym, call.url, call.body, call.headers)
  raise "status #{response.status}" unless response.success?
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

CLIENT = Faraday.new(request: { timeout: 10 })

# The status and Retry-After; no status without a response, or when it is cut.
def send_once(method, url, headers = {}, body = nil)
  response = CLIENT.run_request(method.downcase.to_sym, url, body, headers)
  is_cut = response.body.to_s.bytesize < response.headers['Content-Length'].to_i # nothing else tells
  [is_cut ? nil : response.status, response.headers['Retry-After'].to_i]
rescue Faraday::Error, IOError
  [nil, 0]
end

def there?(look)
  status, = send_once('GET', look)
  raise 'nobody says whether it is there' unless [200, 404].include?(status)

  status == 200
end
