import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.http.io.support.ClassicRequestBuilder;

public class Apache5 implements Worker.Client {
  static final CloseableHttpClient plain = HttpClients.createDefault();

  static ClassicRequestBuilder requestOf(Worker.Call call) {
    ClassicRequestBuilder request = ClassicRequestBuilder.create(call.method()).setUri(call.url());
    return call.body().isEmpty() ? request : request.setEntity(call.body(), ContentType.APPLICATION_JSON);
  }

  public void byDefault(Worker.Call call) throws Exception {
    int status =
        plain.execute(
            requestOf(call).build(),
            response -> {
              EntityUtils.consume(response.getEntity());
              return response.getCode();
            });
    if (status >= 400) throw new IOException("status " + status);
  }

  // The recipe
  static final RequestConfig limits = RequestConfig.custom().setResponseTimeout(10, TimeUnit.SECONDS).build();
  static final CloseableHttpClient client =
      HttpClients.custom().disableAutomaticRetries().setDefaultRequestConfig(limits).build();

  public void recipe(Worker.Call call) throws Exception {
    ClassicRequestBuilder request = requestOf(call);
    if (!call.key().isEmpty()) request.setHeader("Idempotency-Key", call.key());
    for (int attempt = 1; attempt <= 4; attempt++) {
      long[] answer = send(request.build()); // the status, and Retry-After
      if (answer[0] > 0 && answer[0] != 429 && answer[0] < 500) return;
      Thread.sleep(Math.max(150L << attempt, 1000 * answer[1]));
      // A new contact has no key of its own: look whether it was created, before it is sent again.
      if (!call.look().isEmpty()) {
        long found = send(ClassicRequestBuilder.get(call.look()).build())[0];
        if (found != 404) return; // it was created, or nobody says: then a person looks
      }
    }
    throw new IOException("not delivered"); // keep the request in a queue on disk, and send it later
  }

  static long[] send(ClassicHttpRequest request) {
    try {
      return client.execute(request, response -> {
        EntityUtils.toByteArray(response.getEntity());
        var asked = response.getFirstHeader("Retry-After");
        return new long[] {response.getCode(), asked == null ? 0 : Long.parseLong(asked.getValue())};
      });
    } catch (IOException error) {
      return new long[] {0, 0};
    }
  }
}
