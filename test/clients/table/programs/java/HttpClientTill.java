import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Sells by the client of java.net.http. */
public class HttpClientTill {
  static final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  static HttpRequest request(String url, String body, String... headers) {
    HttpRequest.Builder builder = HttpRequest.newBuilder(URI.create(url)).timeout(Duration.ofSeconds(60));
    for (int i = 0; i < headers.length; i += 2) builder.header(headers[i], headers[i + 1]);
    return body == null
        ? builder.GET().build()
        : builder.header("Content-Type", "application/json").POST(BodyPublishers.ofString(body)).build();
  }

  static HttpResponse<String> send(String url, String body, String... headers) {
    try {
      return client.send(request(url, body, headers), BodyHandlers.ofString());
    } catch (Exception e) {
      return null;
    }
  }

  static boolean failed(HttpResponse<String> response) {
    return response == null || Shop.failed(response.statusCode());
  }

  static void repeat(String url, java.util.function.IntFunction<String> body, String... headers) {
    for (int i = 0; i < 4; i++) {
      if (!failed(send(url, body.apply(i), headers))) return;
      Shop.pause(80L * (i + 1));
    }
  }

  /** Waits by a future of its own; the request behind it goes on. */
  static void future(String body) throws Exception {
    for (int i = 0; i < 3; i++) {
      CompletableFuture<HttpResponse<String>> sent = client.sendAsync(request(Shop.RECEIPTS, body), BodyHandlers.ofString());
      try {
        CompletableFuture<HttpResponse<String>> shown = sent.thenApply((response) -> response);
        if (!failed(shown.get(i == 0 ? 2000 : 30_000, TimeUnit.MILLISECONDS))) return;
      } catch (Exception e) {
        Shop.pause(50);
      }
    }
  }

  static void looks() {
    String accounts = Shop.BASE + "/api/v3/point-accounts?contactId=" + Shop.ASTRID;
    String before = send(accounts, null).body();
    for (int i = 0; i < 4; i++) {
      if (!failed(send(Shop.BULK, Shop.bonus(Shop.ASTRID, 50)))) return;
      Shop.pause(100);
      HttpResponse<String> now = send(accounts, null);
      while (failed(now)) now = send(accounts, null);
      if (!now.body().equals(before)) return;
    }
  }

  public static void main(String[] args) throws Exception {
    String first = Shop.receipt(Shop.ASTRID, "client-1", 249);
    switch (args[0]) {
      case "right" -> {
        repeat(Shop.RECEIPTS, (i) -> first);
        repeat(Shop.RECEIPTS, (i) -> Shop.receipt(Shop.JOHAN, "client-2", 99));
      }
      case "uuid-in-loop" -> repeat(Shop.RECEIPTS, (i) -> Shop.receipt(Shop.ASTRID, UUID.randomUUID().toString(), 249));
      case "rounded" -> repeat(Shop.RECEIPTS, (i) -> Shop.receipt(Shop.ASTRID, "client-1", 249 + i));
      case "future" -> {
        future(first);
        Shop.pause(700);
        System.exit(0);
      }
      case "points-keyed" -> repeat(Shop.BULK, (i) -> Shop.bonus(Shop.ASTRID, 50), "Idempotency-Key", "java-1");
      case "points-looks" -> looks();
      default -> throw new IllegalArgumentException(args[0]);
    }
  }
}
