require 'net/http'

# One connection that is kept open, as programs keep it that send much.
def by_default(call)
  uri = URI(call.url)
  @http ||= Net::HTTP.start(uri.host, uri.port)
  request = Net::HTTP.const_get(call.method.capitalize).new(uri, call.headers)
  request.body = call.body unless call.body.empty?
  @http.request(request).value
end
