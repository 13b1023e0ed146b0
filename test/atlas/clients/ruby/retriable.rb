require 'net/http'
require 'retriable'

def by_default(call)
  Retriable.retriable { ask(call.method, call.url, call.headers, call.body).value }
end

def ask(method, url, headers = {}, body = '')
  uri = URI(url)
  request = Net::HTTP.const_get(method.capitalize).new(uri, headers)
  request.body = body unless body.empty?
  Net::HTTP.start(uri.host, uri.port, read_timeout: 10) { |http| http.request(request) }
end

# The recipe
class Passing < StandardError; end # no response, one that was cut, 429 and 5xx

def recipe(call)
  headers = call.headers.merge(call.key.empty? ? {} : { 'Idempotency-Key' => call.key })
  Retriable.retriable(on: Passing, tries: 4, base_interval: 0.3, multiplier: 2, rand_factor: 0.1) do |attempt|
    # A new contact has no key of its own: look whether it was created, before it is sent again.
    next 201 if attempt > 1 && !call.look.empty? && send_once('GET', call.look) == 200

    send_once(call.method, call.url, headers, call.body)
  end
end # if it raises: keep the request in a queue on disk, and send it later

def send_once(*request)
  response = ask(*request)
  status = response.code.to_i
  is_cut = response.body.to_s.bytesize < response['Content-Length'].to_i # nothing else tells
  return status if status != 429 && status < 500 && !is_cut

  sleep response['Retry-After'].to_i
  raise Passing, "status #{status}"
rescue SystemCallError, Timeout::Error, IOError => error
  raise Passing, error.message
end
