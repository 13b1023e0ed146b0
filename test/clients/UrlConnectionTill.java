import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** Sends calls by Java's HttpURLConnection, each once only: what is repeated is the library's doing. */
public class UrlConnectionTill {
  public static void main(String[] args) throws Exception {
    for (int i = 0; i < args.length; i += 2) {
      send(args[i], args[i + 1]);
    }
  }

  private static void send(String url, String body) throws Exception {
    HttpURLConnection connection = (HttpURLConnection) URI.create(url).toURL().openConnection();
    connection.setRequestMethod("POST");
    connection.setRequestProperty("Content-Type", "application/json");
    connection.setRequestProperty("User-Agent", "java-till/1.0");
    connection.setDoOutput(true);
    try {
      connection.getOutputStream().write(body.getBytes(StandardCharsets.UTF_8));
      System.out.println(connection.getResponseCode());
    } catch (IOException error) {
      System.out.println(error);
    }
  }
}
