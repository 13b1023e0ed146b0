import java.io.IOException;
import org.apache.http.client.config.RequestConfig;
import org.apache.http.client.methods.CloseableHttpResponse;
import org.apache.http.client.methods.HttpUriRequest;
import org.apache.http.client.methods.RequestBuilder;
import org.apache.http.entity.ContentType;
import org.apache.http.entity.StringEntity;
import org.apache.http.impl.client.CloseableHttpClient;
import org.apache.http.impl.client.HttpClients;
import org.apache.http.util.EntityUtils;

public class Apache4 implements Worker.Client {
  static final CloseableHttpClient plain = HttpClients.createDefault();

  static RequestBuilder requestOf(Worker.Call call) {
    RequestBuilder request = RequestBuilder.create(call.method()).setUri(call.url());
    if (!call.body().isEmpty()) request.setEntity(new StringEntity(call.body(), ContentType.APPLICATION_JSON));
    return request;
  }

  public void byDefault(Worker.Call call) throws Exception {
    try (CloseableHttpResponse response = plain.execute(requestOf(call).build())) {
      EntityUtils.consume(response.getEntity());
      int status = response.getStatusLine().getStatusCode();
      if (status >= 400) throw new IOException("status " + status);
    }
  }

  // The recipe
  static final RequestConfig limits =
      RequestConfig.custom().setConnectTimeout(10_000).setSocketTimeout(10_000).build();
  static final CloseableHttpClient client =
      HttpClients.custom().disableAutomaticRetries().setDefaultRequestConfig(limits).build();

  public void recipe(Worker.Call call) throws Exception {
    RequestBuilder request = requestOf(call);
    if (!call.key().isEmpty()) request.setHeader("Idempotency-Key", call.key());
    for (int attempt = 1; attempt <= 4; attempt++) {
      long[] answer = send(request.build()); // the status, and Retry-After
      if (answer[0] > 0 && answer[0] != 429 && answer[0] < 500) return;
      Thread.sleep(Math.max(150L << attempt, 1000 * answer[1]));
      // A new contact has no key of its own: look whether it was created, before it is sent again.
      if (!call.look().isEmpty()) {
        long found = send(RequestBuilder.get(call.look()).build())[0];
        if (found != 404) return; // it was created, or nobody says: then a person looks
      }
    }
    throw new IOException("not delivered"); // keep the request in a queue on disk, and send it later
  }

  static long[] send(HttpUriRequest request) {
    try (CloseableHttpResponse response = client.execute(request)) {
      EntityUtils.toByteArray(response.getEntity());
      var asked = response.getFirstHeader("Retry-After");
      return new long[] {response.getStatusLine().getStatusCode(), asked == null ? 0 : Long.parseLong(asked.getValue())};
    } catch (IOException error) {
      return new long[] {0, 0};
    }
  }
}
