require 'excon'

# Each request may be repeated, as its readme shows it.
def by_default(call)
  response = Excon.new(call.url).request(
    method: call.method, headers: call.headers, body: call.body, idempotent: true, expects: [200, 201, 202]
  )
  response.status
end

# The recipe
def recipe(call)
  headers = call.headers.merge(call.key.empty? ? {} : { 'Idempotency-Key' => call.key })
  4.times do |attempt|
    status, retry_after = send_once(call.url, method: call.method, headers: headers, body: call.body)
    return status if status && status != 429 && status < 500

    sleep [0.3 * 2**attempt, retry_after].max
    # A new contact has no key of its own: look whether it was created, before it is sent again.
    return 201 if !call.look.empty? && there?(call.look)
  end
  raise 'not delivered' # keep the request in a queue on disk, and send it later
end

# The status and Retry-After; no status without a response, or when it is cut.
def send_once(url, **request)
  response = Excon.new(url, connect_timeout: 10, read_timeout: 10).request(**request)
  [response.status, response.headers['Retry-After'].to_i]
rescue Excon::Error
  [nil, 0]
end

def there?(look)
  status, = send_once(look, method: 'GET')
  raise 'nobody says whether it is there' unless [200, 404].include?(status)

  status == 200
end
