require 'faraday'

CONNECTION = Faraday.new do |builder|
  builder.request :retry, max: 2, interval: 0.05, interval_randomness: 0.5, backoff_factor: 2
  builder.adapter Faraday.default_adapter
end

def by_default(call)
  response = CONNECTION.run_request(call.method.downcase.to_sym, call.url, call.body, call.headers)
  raise "status #{response.status}" unless response.success?
end
