# The order hook of a web shop, with Ruby's standard library. Its argument names a defect.
require 'json'
require 'net/http'
require 'time'
require 'timeout'
require 'uri'

DEFECT = ARGV[0] || 'none'
TRANSIENT = [429, 500, 502, 503, 504].freeze
PAUSES = [0.06, 0.12, 0.24].freeze
STARTED = Process.clock_gettime(Process::CLOCK_MONOTONIC)
BASE = URI(ENV.fetch('LOYALTY_SIM_URL'))

Answer = Struct.new(:status, :body, :retry_after)

class Undelivered < StandardError
  attr_reader :retry_after

  def initialize(path, retry_after)
    super(path)
    @retry_after = retry_after
  end
end

# One attempt on a connection of its own; :timeout or nil when no whole response came.
def attempt(method, path, text)
  status = nil
  Timeout.timeout(0.4) do
    http = Net::HTTP.new(BASE.host, BASE.port, nil)
    http.max_retries = 0
    http.start do
      request = Net::HTTPGenericRequest.new(method, !text.nil?, true, BASE.path.chomp('/') + path)
      request['User-Agent'] = "orders-#{DEFECT}/1.0"
      request['x-sim-client'] = "orders-#{DEFECT}"
      request['apikey'] = ENV['LOYALTY_SIM_API_KEY'] if ENV['LOYALTY_SIM_API_KEY']
      request['Accept-Encoding'] = 'identity'
      if text
        request['Content-Type'] = 'application/json'
        request.body = text
      end
      http.request(request) do |response|
        status = response.code.to_i
        body = response.read_body
        return nil if response['Content-Length'] && body.bytesize < response['Content-Length'].to_i && !done?(method, status)

        return Answer.new(status, body, response['Retry-After'].to_f)
      end
    end
  end
rescue Timeout::Error
  done?(method, status) ? Answer.new(status, '', 0) : :timeout
rescue SystemCallError, IOError, Net::HTTPBadResponse, Net::ProtocolError, Zlib::Error
  done?(method, status) ? Answer.new(status, '', 0) : nil
end

# A write with status 2xx is done, even if the rest of the response is lost.
def done?(method, status)
  method != 'GET' && status && status / 100 == 2
end

# Tries at most four times; the text is asked for before each attempt.
def call(method, path, &text)
  answer = nil
  (0..PAUSES.length).each do |round|
    is_slow = answer == :timeout && DEFECT == 'eager-after-timeout'
    asked = answer.is_a?(Answer) ? answer.retry_after : 0
    sleep([asked, PAUSES[round - 1] * 1.2].max) if round.positive? && !is_slow
    answer = attempt(method, path, text&.call(round))
    return answer if answer.is_a?(Answer) && !TRANSIENT.include?(answer.status)
  end
  raise Undelivered.new(path, answer.is_a?(Answer) ? answer.retry_after : 0)
end

# Goes on until the service answers, or the patience is over.
def insist(method, path, &text)
  round = 0
  begin
    call(method, path, &text)
  rescue Undelivered => e
    raise if Process.clock_gettime(Process::CLOCK_MONOTONIC) - STARTED > 5

    round += 1
    sleep([e.retry_after, 0.25 * [round, 4].min].max)
    retry
  end
end

def order(number, contact, price)
  {
    contact: { matchKey: contact, matchKeyType: 'contactId' },
    orderNumber: number, orderStatus: 'OrderConfirmed', paymentStatus: 'Paid', createdDate: TIME,
    storeId: '900', currency: 'SEK', totalGrossPrice: price,
    items: [{ type: 'PURCHASE', sku: '10001', quantity: 1, grossPaidPrice: price, taxAmount: price / 5, taxPercent: 25,
              articleNumber: '10001', articleName: 'Article 10001' }]
  }
end

TIME = Time.now.utc.iso8601(3)
emails = %w[astrid.lindqvist@example.com johan.bergstrom@example.com elin.sandberg@example.com]

emails.each_with_index do |email, i|
  found = insist('GET', "/api/v3/contacts/id?email=#{URI.encode_www_form_component(email)}")
  next if found.status != 200

  contact = JSON.parse(found.body)
  text = JSON.generate(order("W-#{i}", contact, 300 + i))
  insist('POST', '/api/v3/orders') do |round|
    # A number that was refused once may be taken.
    is_renumbered = DEFECT == 'renumbered' && round > 1
    is_renumbered ? JSON.generate(order("W-#{i}-#{round}", contact, 300 + i)) : text
  end
  address = JSON.generate({ city: 'Malmö' })
  insist('PATCH', "/api/v3/contacts/#{contact}") { address }
end
