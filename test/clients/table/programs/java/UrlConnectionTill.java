import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;

/** Sells by HttpURLConnection, which sends a POST again by itself when the connection ends without a response. */
public class UrlConnectionTill {
  static int post(String url, String body) {
    try {
      HttpURLConnection connection = (HttpURLConnection) new URL(url).openConnection();
      connection.setRequestMethod("POST");
      connection.setRequestProperty("Content-Type", "application/json");
      connection.setReadTimeout(30_000);
      connection.setDoOutput(true);
      connection.getOutputStream().write(body.getBytes(StandardCharsets.UTF_8));
      int status = connection.getResponseCode();
      try (InputStream in = status >= 400 ? connection.getErrorStream() : connection.getInputStream()) {
        if (in != null) in.readAllBytes();
      }
      return status;
    } catch (IOException e) {
      return 0;
    }
  }

  static void repeat(String url, String body, int... pauses) {
    if (!Shop.failed(post(url, body))) return;
    for (int pause : pauses) {
      Shop.pause(pause);
      if (!Shop.failed(post(url, body))) return;
    }
  }

  public static void main(String[] args) {
    switch (args[0]) {
      case "right" -> {
        repeat(Shop.RECEIPTS, Shop.receipt(Shop.ASTRID, "url-1", 249), 1200, 1300);
        repeat(Shop.RECEIPTS, Shop.receipt(Shop.JOHAN, "url-2", 99), 1200, 1300);
      }
      case "drops" -> {
        post(Shop.RECEIPTS, Shop.receipt(Shop.ASTRID, "url-1", 249));
        post(Shop.RECEIPTS, Shop.receipt(Shop.JOHAN, "url-2", 99));
      }
      case "points" -> repeat(Shop.BULK, Shop.bonus(Shop.ASTRID, 50), 100, 200);
      default -> throw new IllegalArgumentException(args[0]);
    }
  }
}
