using System;
using System.IO;
using System.Net.Http;
using System.Text;
using System.Threading;

public static class Client {
  static readonly HttpClient http = new HttpClient();

  static HttpRequestMessage RequestOf(Call call) {
    HttpRequestMessage request = new HttpRequestMessage(new HttpMethod(call.Method), call.Url);
    if (call.Body != "") request.Content = new StringContent(call.Body, Encoding.UTF8, "application/json");
    return request;
  }

  public static void ByDefault(Call call) {
    HttpResponseMessage response = http.SendAsync(RequestOf(call)).Result;
    response.EnsureSuccessStatusCode();
  }

  // The recipe
  static readonly HttpClient client = new HttpClient { Timeout = TimeSpan.FromSeconds(10) };

  public static void Recipe(Call call) {
    for (int attempt = 1; attempt <= 4; attempt++) {
      double pause = 0.15 * Math.Pow(2, attempt);
      int status = Send(call, ref pause);
      if (status > 0 && status != 429 && status < 500) return;
      Thread.Sleep(TimeSpan.FromSeconds(pause));
      // A new contact has no key of its own: look whether it was created, before it is sent again.
      Call look = new Call { Method = "GET", Url = call.Look, Body = "", Key = "" };
      if (call.Look != "" && Send(look, ref pause) != 404) return; // it was created, or nobody says: then a person looks
    }
    throw new IOException("not delivered"); // keep the request in a queue on disk, and send it later
  }

  /** The status; 0 without a response, or when it is cut. */
  static int Send(Call call, ref double pause) {
    HttpRequestMessage request = RequestOf(call);
    if (call.Key != "") request.Headers.Add("Idempotency-Key", call.Key);
    try {
      HttpResponseMessage response = client.SendAsync(request).Result;
      TimeSpan? asked = response.Headers.RetryAfter?.Delta;
      if (asked != null) pause = Math.Max(pause, asked.Value.TotalSeconds);
      long? length = response.Content.Headers.ContentLength;
      bool isCut = length != null && response.Content.ReadAsByteArrayAsync().Result.Length < length;
      return isCut ? 0 : (int)response.StatusCode;
    } catch (AggregateException) {
      return 0;
    }
  }
}
