require 'rest-client'

def by_default(call)
  RestClient::Request.execute(method: call.method.downcase, url: call.url, headers: call.headers, payload: call.body)
end

# The recipe
def recipe(call)
  headers = call.headers.merge(call.key.empty? ? {} : { 'Idempotency-Key' => call.key })
  4.times do |attempt|
    status, retry_after = send_once(method: call.method.downcase, url: call.url, headers: headers, payload: call.body)
    return status if status && status != 429 && status < 500

    sleep [0.3 * 2**attempt, retry_after].max
    # A new contact has no key of its own: look whether it was created, before it is sent again.
    return 201 if !call.look.empty? && there?(call.look)
  end
  raise 'not delivered' # keep the request in a queue on disk, and send it later
end

# The status and Retry-After; no status without a response, or when it is cut.
def send_once(request)
  response = RestClient::Request.execute(**request, timeout: 10) { |one| one }
  is_cut = response.body.to_s.bytesize < response.headers[:content_length].to_i # nothing else tells
  [is_cut ? nil : response.code, response.headers[:retry_after].to_i]
rescue RestClient::Exception, SystemCallError, IOError
  [nil, 0]
end

def there?(look)
  status, = send_once(method: :get, url: look)
  raise 'nobody says whether it is there' unless [200, 404].include?(status)

  status == 200
end
