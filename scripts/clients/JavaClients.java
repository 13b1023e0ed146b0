import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** Calls each address given, with HttpURLConnection or HttpClient, and says in one line what it saw of each. */
public class JavaClients {
  interface Client {
    void call(String url, String body, int milliseconds, StringBuilder seen) throws Exception;
  }

  public static void main(String[] args) {
    Client client = args[0].equals("HttpClient") ? JavaClients::httpClient : JavaClients::urlConnection;
    for (int i = 2; i + 1 < args.length; i += 2) {
      StringBuilder seen = new StringBuilder();
      try {
        client.call(args[i], args[1], Integer.parseInt(args[i + 1]), seen);
        System.out.println(seen);
      } catch (Exception error) {
        boolean isOwn = error.getClass() == Exception.class;
        System.out.println(seen + "\t" + (isOwn ? "" : error.getClass().getSimpleName() + ": ") + error.getMessage());
      }
    }
  }

  static void urlConnection(String url, String body, int milliseconds, StringBuilder seen) throws Exception {
    HttpURLConnection connection = (HttpURLConnection) URI.create(url).toURL().openConnection();
    connection.setReadTimeout(milliseconds);
    connection.setRequestProperty("content-type", "application/json");
    connection.setDoOutput(true);
    try (OutputStream out = connection.getOutputStream()) {
      out.write(body.getBytes());
    }
    int status = connection.getResponseCode();
    if (status < 0) throw new Exception("getResponseCode() is -1");
    seen.append(status);
    try (InputStream in = status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
      in.readAllBytes();
    }
  }

  static final HttpClient shared = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  static void httpClient(String url, String body, int milliseconds, StringBuilder seen) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url))
            .timeout(Duration.ofMillis(milliseconds))
            .header("content-type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    HttpResponse<InputStream> answer = shared.send(request, HttpResponse.BodyHandlers.ofInputStream());
    seen.append(answer.statusCode());
    try (InputStream in = answer.body()) {
      // Its timeout ends with the headers: without one of our own, a body that hangs would be read for ever.
      java.util.concurrent.CompletableFuture.supplyAsync(
              () -> {
                try {
                  return in.readAllBytes();
                } catch (java.io.IOException error) {
                  throw new java.io.UncheckedIOException(error);
                }
              })
          .get(milliseconds, java.util.concurrent.TimeUnit.MILLISECONDS);
    } catch (java.util.concurrent.ExecutionException error) {
      Throwable cause = error.getCause();
      throw (Exception) (cause instanceof java.io.UncheckedIOException ? cause.getCause() : cause);
    } catch (java.util.concurrent.TimeoutException error) {
      throw new Exception("read() waits for ever");
    }
  }
}
