/** Serves the Java programs of the table: where the service is, whom it knows, and what a till sends. */
final class Shop {
  static final String BASE = System.getenv("LOYALTY_SIM_URL");
  static final String FOLDER = System.getenv("WORK_FOLDER");
  static final String ASTRID = "5a0e7c1e-0001-4000-8000-000000000001";
  static final String JOHAN = "5a0e7c1e-0001-4000-8000-000000000002";
  static final String ELIN = "5a0e7c1e-0001-4000-8000-000000000003";
  static final String RECEIPTS = BASE + "/api/v3/receipts";
  static final String BULK = BASE + "/api/v3/point-accounts/transactions";

  private Shop() {}

  static String receipt(String contact, String key, int total) {
    return """
        {"contact":{"matchKey":"%s","matchKeyType":"contactId"},"uniqueReceiptId":"%s","receiptNumber":"%s",
        "createdDate":"2026-11-20T10:15:00Z","storeExternalId":"100","currency":"SEK","totalGrossPrice":%d,
        "paymentMethods":[{"type":"CARD","value":%d}],"items":[{"type":"PURCHASE","quantity":1,"grossPaidPrice":%d,
        "taxAmount":10,"taxPercent":25,"sku":"1001-M","articleNumber":"1001","articleName":"T-shirt"}]}"""
        .formatted(contact, key, key, total, total, total);
  }

  static String bonus(String contact, int amount) {
    return """
        [{"contactId":"%s","definitionId":2,"amount":%d,"timeStamp":"2026-11-20T10:15:00Z","source":"Adjustment",
        "description":"Style evening"}]""".formatted(contact, amount);
  }

  static boolean failed(int status) {
    return status <= 0 || status == 429 || status >= 500;
  }

  static void pause(long ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
