using System;
using System.IO;
using System.Net;
using System.Text;
using System.Threading;

public static class Client {
  static HttpWebRequest RequestOf(Call call) {
    HttpWebRequest request = (HttpWebRequest)WebRequest.Create(call.Url);
    request.Method = call.Method;
    return request;
  }

  static string TextOf(HttpWebRequest request, string body) {
    if (body != "") {
      byte[] bytes = Encoding.UTF8.GetBytes(body);
      request.ContentType = "application/json";
      using (Stream stream = request.GetRequestStream()) stream.Write(bytes, 0, bytes.Length);
    }
    using (WebResponse response = request.GetResponse())
    using (StreamReader reader = new StreamReader(response.GetResponseStream())) {
      string text = reader.ReadToEnd();
      if (Encoding.UTF8.GetByteCount(text) < response.ContentLength) throw new IOException("the response was cut");
      return text;
    }
  }

  public static void ByDefault(Call call) {
    TextOf(RequestOf(call), call.Body);
  }

  // The recipe
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
    HttpWebRequest request = RequestOf(call);
    request.Timeout = request.ReadWriteTimeout = 10000;
    request.KeepAlive = false; // or it sends a POST again by itself when it was lost on a connection that it reused
    if (call.Key != "") request.Headers["Idempotency-Key"] = call.Key;
    try {
      TextOf(request, call.Body);
      return 200;
    } catch (WebException error) {
      HttpWebResponse response = error.Response as HttpWebResponse;
      int asked;
      if (int.TryParse(response?.Headers["Retry-After"], out asked)) pause = Math.Max(pause, asked);
      return response == null ? 0 : (int)response.StatusCode;
    } catch (IOException) {
      return 0;
    }
  }
}
