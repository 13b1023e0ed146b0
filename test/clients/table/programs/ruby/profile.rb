# Changes a customer's profile, and asks for what it did not hear.
require_relative "shop"

http = connect
path = "/api/v3/contacts/#{ASTRID}"
case ARGV.first
when "reads-back"
  begin
    send_to(http, :patch, path, { street: "Storgatan 1" })
  rescue StandardError
    sleep 0.1
    street = JSON.parse(send_to(http, :get, path).body)["street"]
    send_to(http, :patch, path, { street: "Storgatan 1" }) unless street == "Storgatan 1"
  end
when "reads-other"
  begin
    send_to(http, :patch, path, { street: "Storgatan 1" })
  rescue StandardError
    sleep 0.1
    send_to(http, :get, "/api/v3/contacts/#{JOHAN}")
  end
end
