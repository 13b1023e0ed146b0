import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Sends requests as the specification's guidance to callers asks, with java.net.http. */
class Careful {
  static final Set<Integer> TRANSIENT = Set.of(429, 500, 502, 503, 504);
  static final long[] PAUSES = {20, 40, 80};
  static final long FORWARD_AFTER = 250;
  static final long PATIENCE = 5000;

  record Answer(int status, String body, long retryAfter) {}

  static class Undelivered extends RuntimeException {
    final long retryAfter;

    Undelivered(String path, long retryAfter) {
      super(path);
      this.retryAfter = retryAfter;
    }
  }

  final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  final String base = System.getenv("LOYALTY_SIM_URL");
  final String client;
  final long started = System.nanoTime();

  Careful(String client) {
    this.client = client;
  }

  HttpRequest request(String method, String path, String text) {
    var publisher = text == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(text);
    var builder = HttpRequest.newBuilder(URI.create(base + path))
        .method(method, publisher)
        .header("User-Agent", client + "/1.0")
        .header("x-sim-client", client);
    if (text != null) builder.header("Content-Type", "application/json");
    String key = System.getenv("LOYALTY_SIM_API_KEY");
    if (key != null) builder.header("apikey", key);
    return builder.build();
  }

  /** One attempt; null when no whole response came in time. A write with status 2xx is done, even if its body is cut. */
  Answer attempt(String method, String path, String text) {
    var status = new int[1];
    HttpResponse.BodyHandler<String> handler = info -> {
      status[0] = info.statusCode();
      return HttpResponse.BodySubscribers.ofString(java.nio.charset.StandardCharsets.UTF_8);
    };
    CompletableFuture<HttpResponse<String>> sent = http.sendAsync(request(method, path, text), handler);
    try {
      var response = sent.get(400, TimeUnit.MILLISECONDS);
      long asked = response.headers().firstValue("Retry-After").map(Long::parseLong).orElse(0L) * 1000;
      return new Answer(response.statusCode(), response.body(), asked);
    } catch (TimeoutException error) {
      timedOut(sent, path);
    } catch (ExecutionException | InterruptedException error) {
      // No whole response came.
    }
    boolean isDone = !method.equals("GET") && status[0] >= 200 && status[0] < 300;
    return isDone ? new Answer(status[0], "", 0) : null;
  }

  void timedOut(CompletableFuture<HttpResponse<String>> sent, String path) {
    sent.cancel(true);
  }

  /** Tries at most four times; the text is asked for before each attempt. */
  Answer call(String method, String path, Supplier<String> text) {
    Answer answer = null;
    for (int repeat = 0; repeat <= PAUSES.length; repeat++) {
      if (repeat > 0) sleep(Math.max(answer == null ? 0 : answer.retryAfter, PAUSES[repeat - 1] * 12 / 10));
      answer = attempt(method, path, text.get());
      if (answer != null && !TRANSIENT.contains(answer.status)) return answer;
    }
    throw new Undelivered(path, answer == null ? 0 : answer.retryAfter);
  }

  /** Goes on until the service answers, or the patience is over. */
  Answer insist(String method, String path, Supplier<String> text) {
    for (int round = 1; ; round++) {
      try {
        return call(method, path, text);
      } catch (Undelivered error) {
        if (System.nanoTime() - started > PATIENCE * 1_000_000) throw error;
        sleep(Math.max(error.retryAfter, FORWARD_AFTER * Math.min(round, 4)));
      }
    }
  }

  Answer get(String path) {
    return insist("GET", path, () -> null);
  }

  Answer write(String method, String path, String text) {
    return insist(method, path, () -> text);
  }

  static void sleep(long milliseconds) {
    try {
      Thread.sleep(milliseconds);
    } catch (InterruptedException error) {
      throw new IllegalStateException(error);
    }
  }
}
