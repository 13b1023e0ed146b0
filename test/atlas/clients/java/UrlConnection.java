import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;

public class UrlConnection implements Worker.Client {
  static HttpURLConnection open(Worker.Call call) throws Exception {
    HttpURLConnection connection = (HttpURLConnection) URI.create(call.url()).toURL().openConnection();
    // It knows no PATCH: its users set the field.
    var method = HttpURLConnection.class.getDeclaredField("method");
    method.setAccessible(true);
    method.set(connection, call.method());
    if (!call.body().isEmpty()) connection.setRequestProperty("Content-Type", "application/json");
    return connection;
  }

  /** The status, and how many bytes of the body came. */
  static int[] send(HttpURLConnection connection, String body) throws IOException {
    if (!body.isEmpty()) {
      connection.setDoOutput(true);
      try (OutputStream out = connection.getOutputStream()) {
        out.write(body.getBytes());
      }
    }
    int status = connection.getResponseCode();
    try (InputStream in = status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
      return new int[] {status, in == null ? 0 : in.readAllBytes().length};
    }
  }

  public void byDefault(Worker.Call call) throws Exception {
    int status = send(open(call), call.body())[0];
    if (status >= 400) throw new IOException("status " + status);
  }

  // The recipe
  public void recipe(Worker.Call call) throws Exception {
    // Without this property it sends a POST again by itself.
    System.setProperty("sun.net.http.retryPost", "false");
    for (int attempt = 1; attempt <= 4; attempt++) {
      HttpURLConnection connection = open(call);
      connection.setConnectTimeout(10_000);
      connection.setReadTimeout(10_000);
      if (!call.key().isEmpty()) connection.setRequestProperty("Idempotency-Key", call.key());
      long pause = 150L << attempt;
      try {
        int[] answer = send(connection, call.body());
        boolean isCut = answer[1] < connection.getContentLengthLong(); // nothing else tells
        if (answer[0] != 429 && answer[0] < 500 && !isCut) return;
        pause = Math.max(pause, 1000 * connection.getHeaderFieldLong("Retry-After", 0));
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
    int status = send(open(new Worker.Call("look", "GET", look, "", "", "")), "")[0];
    if (status != 200 && status != 404) throw new IOException("nobody says whether it is there");
    return status == 200;
  }
}
