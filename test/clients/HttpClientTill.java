import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.ExecutionException;

/** Reads by Java's HttpClient, and tries again after a pause; what comes sooner is the library's doing. */
public class HttpClientTill {
  public static void main(String[] args) throws Exception {
    HttpClient http = HttpClient.newHttpClient();
    HttpRequest.Builder builder = HttpRequest.newBuilder(URI.create(args[0]));
    if (args.length > 1) builder.header("User-Agent", args[1]);
    for (int attempt = 1; attempt <= 4; attempt++) {
      try {
        System.out.println(http.sendAsync(builder.build(), HttpResponse.BodyHandlers.ofString()).get().statusCode());
        return;
      } catch (ExecutionException error) {
        Thread.sleep(300);
      }
    }
  }
}
