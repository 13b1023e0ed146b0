import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Sends each request of the lines given with HttpClient, and prints what it got of each: status, length, error. */
public class Client {
  public static void main(String[] args) throws Exception {
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      String[] fields = line.split("\t", 4);
      int milliseconds = Integer.parseInt(fields[2]);
      String status = "", error = "";
      int length = 0;
      try {
        HttpRequest request =
            HttpRequest.newBuilder(URI.create(fields[1]))
                .timeout(Duration.ofMillis(milliseconds))
                .header("content-type", "application/json")
                .method(fields[0], HttpRequest.BodyPublishers.ofString(fields[3]))
                .build();
        HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        HttpResponse<java.io.InputStream> answer = client.send(request, HttpResponse.BodyHandlers.ofInputStream());
        status = String.valueOf(answer.statusCode());
        // Its timeout ends with the headers: a body that hangs would be read for ever.
        length =
            CompletableFuture.supplyAsync(
                    () -> {
                      try {
                        return answer.body().readAllBytes().length;
                      } catch (java.io.IOException caught) {
                        throw new java.io.UncheckedIOException(caught);
                      }
                    })
                .get(milliseconds, TimeUnit.MILLISECONDS);
      } catch (Exception caught) {
        error = caught.toString().replaceAll("[^ -~]", "?");
      }
      System.out.println(status + "\t" + length + "\t" + error);
    }
    System.exit(0);
  }
}
