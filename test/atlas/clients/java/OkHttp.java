import java.io.IOException;
import java.util.concurrent.TimeUnit;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;

public class OkHttp implements Worker.Client {
  static final OkHttpClient plain = new OkHttpClient();

  static Request.Builder requestOf(Worker.Call call) {
    MediaType json = MediaType.get("application/json");
    RequestBody body = call.body().isEmpty() ? null : RequestBody.create(json, call.body().getBytes());
    return new Request.Builder().url(call.url()).method(call.method(), body);
  }

  public void byDefault(Worker.Call call) throws Exception {
    try (Response response = plain.newCall(requestOf(call).build()).execute()) {
      response.body().string();
      if (!response.isSuccessful()) throw new IOException("status " + response.code());
    }
  }

  // The recipe
  static final OkHttpClient client =
      new OkHttpClient.Builder().retryOnConnectionFailure(false).callTimeout(10, TimeUnit.SECONDS).build();

  public void recipe(Worker.Call call) throws Exception {
    Request.Builder request = requestOf(call);
    if (!call.key().isEmpty()) request.header("Idempotency-Key", call.key());
    for (int attempt = 1; attempt <= 4; attempt++) {
      long pause = 150L << attempt;
      try (Response response = client.newCall(request.build()).execute()) {
        response.body().string();
        if (response.code() != 429 && response.code() < 500) return;
        pause = Math.max(pause, 1000 * Long.parseLong(response.header("Retry-After", "0")));
      } catch (IOException error) {
        // No response, or one that was cut.
      }
      Thread.sleep(pause);
      // A new contact has no key of its own: look whether it was created, before it is sent again.
      if (!call.look().isEmpty() && isThere(call.look())) return;
    }
    throw new IOException("not delivered"); // keep the request in a queue on disk, and send it later
  }

  static boolean isThere(String look) throws IOException {
    try (Response response = client.newCall(new Request.Builder().url(look).build()).execute()) {
      if (response.code() != 200 && response.code() != 404) throw new IOException("status " + response.code());
      return response.code() == 200;
    }
  }
}
