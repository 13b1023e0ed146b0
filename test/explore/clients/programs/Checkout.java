import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A checkout: each customer is looked up, the address kept, a receipt sent, and points added. Its argument names a defect. */
class Checkout {
  public static void main(String[] args) {
    String defect = args.length > 0 ? args[0] : "none";
    var till = new Careful("checkout-" + defect) {
      @Override
      void timedOut(CompletableFuture<HttpResponse<String>> sent, String path) {
        // The result is not wanted any more.
        if (defect.equals("left-open") && path.equals("/api/v3/receipts")) return;
        super.timedOut(sent, path);
      }
    };
    String[] customers = {"astrid.lindqvist@example.com", "johan.bergstrom@example.com", "elin.sandberg@example.com"};
    for (int i = 0; i < customers.length; i++) {
      String contact = till.get("/api/v3/contacts/id?email=" + customers[i].replace("@", "%40")).body().replace("\"", "");
      till.write("PATCH", "/api/v3/contacts/" + contact, "{\"city\":\"Umeå\"}");
      till.write("POST", "/api/v3/receipts", receipt(contact, 210 + i));
      var account = accountOf(till.get("/api/v3/point-accounts?contactId=" + contact).body());
      if (account == null) continue;
      String fixed = addition(account);
      boolean isRebuilt = defect.equals("rebuilt") && i == 2;
      till.insist("POST", "/api/v3/point-transactions", () -> isRebuilt ? addition(account) : fixed);
    }
  }

  static String accountOf(String body) {
    Matcher found = Pattern.compile("\"id\":\"([0-9a-f-]{36})\"").matcher(body);
    return found.find() ? found.group(1) : null;
  }

  static String addition(String account) {
    return """
        {"accountId":"%s","transactionId":"%s","transactionType":"Addition","amount":5,"description":"Welcome",
         "source":"Adjustment","transactionDate":"%s"}""".formatted(account, UUID.randomUUID(), Instant.now());
  }

  static String receipt(String contact, int price) {
    return """
        {"contact":{"matchKey":"%s","matchKeyType":"contactId"},"uniqueReceiptId":"%s","createdDate":"%s",
         "storeExternalId":"100","currency":"SEK","totalGrossPrice":%d,"paymentMethods":[{"type":"CARD","value":%d}],
         "items":[{"type":"PURCHASE","quantity":1,"grossPaidPrice":%d,"taxAmount":%d,"taxPercent":25,"sku":"10001",
         "articleNumber":"10001","articleName":"Article"}]}"""
        .formatted(contact, UUID.randomUUID(), Instant.now(), price, price, price, price / 5);
  }
}
