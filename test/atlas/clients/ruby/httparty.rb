require 'httparty'

def by_default(call)
  response = HTTParty.public_send(call.method.downcase, call.url, headers: call.headers, body: call.body)
  raise "status #{response.code}" unless response.success?
end

# The recipe
def recipe(call)
  headers = call.headers.merge(call.key.empty? ? {} : { 'Idempotency-Key' => call.key })
  4.times do |attempt|
    status, retry_after = send_once(call.method, call.url, headers: headers, body: call.body)
    return status if status && status != 429 && status < 500

    sleep [0.3 * 2**attempt, retry_after].max
    # A new contact has no key of its own: look whether it was created, before it is sent again.
    return 201 if !call.look.empty? && there?(call.look)
  end
  raise 'not delivered' # keep the request in a queue on disk, and send it later
end

# The status and Retry-After; no status without a response, or when it is cut.
def send_once(method, url, **rest)
  response = HTTParty.public_send(method.downcase, url, timeout: 10, max_retries: 0, **rest)
  is_cut = response.body.to_s.bytesize < response.headers['Content-Length'].to_i # nothing else tells
  [is_cut ? nil : response.code, response.headers['Retry-After'].to_i]
rescue SystemCallError, Timeout::Error, IOError
  [nil, 0]
end

def there?(look)
  status, = send_once('GET', look)
  raise 'nobody says whether it is there' unless [200, 404].include?(status)

  status == 200
end
