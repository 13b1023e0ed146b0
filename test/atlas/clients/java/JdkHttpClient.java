import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

public class JdkHttpClient implements Worker.Client {
  static final HttpClient client = HttpClient.newHttpClient();

  static HttpRequest.Builder requestOf(Worker.Call call) {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(call.url()));
    if (call.body().isEmpty()) return request.method(call.method(), BodyPublishers.noBody());
    BodyPublisher body = BodyPublishers.ofString(call.body());
    return request.method(call.method(), body).header("Content-Type", "application/json");
  }

  public void byDefault(Worker.Call call) throws Exception {
    HttpResponse<String> response = client.send(requestOf(call).build(), BodyHandlers.ofString());
    if (response.statusCode() >= 400) throw new IOException("status " + response.statusCode());
  }

  // The recipe
  public void recipe(Worker.Call call) throws Exception {
    HttpRequest.Builder request = requestOf(call).timeout(Duration.ofSeconds(10));
    if (!call.key().isEmpty()) request.header("Idempotency-Key", call.key());
    for (int attempt = 1; attempt <= 4; attempt++) {
      long pause = 150L << attempt;
      try {
        HttpResponse<String> response = client.send(request.build(), BodyHandlers.ofString());
        if (response.statusCode() != 429 && response.statusCode() < 500) return;
        pause = Math.max(pause, 1000 * response.headers().firstValueAsLong("Retry-After").orElse(0));
      } catch (IOException error) {
        // No response, or one that was cut.
      }
      Thread.sleep(pause);
      // A new contact has no key of its own: look whether it was created, before it is sent again.
      if (!call.look().isEmpty() && isThere(call.look())) return;
    }
    throw new IOException("not delivered"); // keep the request in a queue on disk, and send it later
  }

  static boolean isThere(String look) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(URI.create(look)).timeout(Duration.ofSeconds(10)).build();
    int status = client.send(request, BodyHandlers.ofString()).statusCode();
    if (status != 200 && status != 404) throw new IOException("nobody says whether it is there");
    return status == 200;
  }
}
