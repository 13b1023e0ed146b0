# Serves the Ruby programs of the table: where the service is, whom it knows, and what a till sends.
require "json"
require "net/http"
require "uri"

BASE = URI(ENV.fetch("LOYALTY_SIM_URL"))
ASTRID, JOHAN, ELIN = (1..3).map { |number| format("5a0e7c1e-0001-4000-8000-%012d", number) }
RECEIPTS = "/api/v3/receipts"
BULK = "/api/v3/point-accounts/transactions"

def receipt(contact, key, total = 249)
  {
    contact: { matchKey: contact, matchKeyType: "contactId" },
    uniqueReceiptId: key, receiptNumber: key, createdDate: "2026-11-20T10:15:00Z", storeExternalId: "100",
    currency: "SEK", totalGrossPrice: total, paymentMethods: [{ type: "CARD", value: total }],
    items: [{
      type: "PURCHASE", quantity: 1, grossPaidPrice: total, taxAmount: 10, taxPercent: 25, sku: "1001-M",
      articleNumber: "1001", articleName: "T-shirt"
    }]
  }
end

def bonus(contact, amount)
  {
    contactId: contact, definitionId: 2, amount: amount, timeStamp: "2026-11-20T10:15:00Z", source: "Adjustment",
    description: "Style evening"
  }
end

# Sends over this connection; raises when there is no response or a 5xx.
def send_to(http, method, path, body = nil, headers = {})
  kind = { get: Net::HTTP::Get, post: Net::HTTP::Post, patch: Net::HTTP::Patch }.fetch(method)
  request = kind.new(BASE.path + path, { "content-type" => "application/json", **headers })
  request.body = JSON.generate(body) if body
  response = http.request(request)
  raise IOError, response.code if response.code.to_i >= 500
  response
end

def connect
  http = Net::HTTP.new(BASE.host, BASE.port)
  http.read_timeout = 30
  http.start
end
