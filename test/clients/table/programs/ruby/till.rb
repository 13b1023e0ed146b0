# Sells over one kept connection of Net::HTTP.
require_relative "shop"
require "securerandom"

http = connect
case ARGV.first
when "right"
  [ASTRID, JOHAN].each_with_index do |contact, i|
    attempts = 0
    begin
      send_to(http, :post, RECEIPTS, receipt(contact, "ruby-#{i}"))
    rescue StandardError
      attempts += 1
      sleep 0.1 * attempts
      retry if attempts < 4
    end
  end
when "swallows"
  [ASTRID, JOHAN].each_with_index do |contact, i|
    send_to(http, :post, RECEIPTS, receipt(contact, "ruby-#{i}")) rescue nil
  end
when "uuid-in-retry"
  attempts = 0
  begin
    send_to(http, :post, RECEIPTS, receipt(ASTRID, SecureRandom.uuid))
  rescue StandardError
    attempts += 1
    sleep 0.1 * attempts
    retry if attempts < 4
  end
when "reads"
  # Net::HTTP repeats a GET by itself when the connection breaks.
  [ASTRID, JOHAN].each do |contact|
    send_to(http, :get, "/api/v3/point-accounts?contactId=#{contact}") rescue nil
  end
when "ensure"
  # The receipt is sent in `ensure` too, in case it was not.
  begin
    send_to(http, :post, RECEIPTS, receipt(ASTRID, "ruby-1"))
  ensure
    send_to(http, :post, RECEIPTS, receipt(ASTRID, "ruby-1"))
  end
end
