import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives each test of JUnit 5 a retailer of its own in loyalty-sim, and judges its client when the test has ended.
 *
 * <pre>
 * &#64;ExtendWith(LoyaltySim.class)
 * class TillTest {
 *   &#64;Test
 *   void sendsAReceiptAgain(LoyaltySim.Tenant tenant) {
 *     tenant.faults().add("{'match': {'endpoint': 'createReceipt'}, 'fault': ['504']}");
 *     new Till(tenant.url()).send(receipt);
 *   }
 * }
 * </pre>
 *
 * The tests share one simulator: that of {@code loyalty-sim exec -- mvn test}, or one that is started with the first test
 * and stopped after the last. JSON is given and returned as text, where single quotes may stand for double ones; {@link
 * Json#parse} reads it. It needs Java 11 and JUnit 5, and nothing else. Licence: MIT.
 */
public final class LoyaltySim implements BeforeEachCallback, AfterEachCallback, ParameterResolver {

  /** Says how the client of a test, or of a class of tests, is judged. */
  @Retention(RetentionPolicy.RUNTIME)
  @Target({ElementType.METHOD, ElementType.TYPE})
  public @interface Judge {
    /** Lists the verdicts that pass. */
    String[] accept() default {"PASS"};

    /** Says that the client does nothing more once its test has ended. */
    boolean clientEnded() default true;

    /** Holds options of the tenant, as {@code {'now': '2026-03-01T12:00:00Z'}}: those of POST /__admin/tenants. */
    String options() default "{}";
  }

  /** Is thrown at the end of a test whose client, or whose faults, did not do what they should. */
  public static final class VerdictError extends AssertionError {
    private static final long serialVersionUID = 1;

    VerdictError(String message) {
      super(message);
      // Where it is thrown says nothing.
      setStackTrace(new StackTraceElement[0]);
    }
  }

  /** Is thrown when the simulator cannot be started or refuses a call; its text names every mistake. */
  public static final class LoyaltySimException extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final int status;

    LoyaltySimException(String message, int status) {
      super(message);
      this.status = status;
    }

    /** Returns the status of the response; 0 if there was none. */
    public int status() {
      return status;
    }
  }

  /** Is a retailer for one test alone: data, clock, faults, requests and verdict are its own. */
  public static final class Tenant {
    private final Simulator simulator;
    private final String name;

    Tenant(Simulator simulator, String name) {
      this.simulator = simulator;
      this.name = name;
    }

    public String name() {
      return name;
    }

    /** Returns the base URL for the client; {@code /api/v3/…} comes behind it. */
    public String url() {
      return simulator.url + "/t/" + name;
    }

    /** Returns a key that the service accepts. */
    public String apiKey() {
      return Optional.ofNullable(System.getenv("LOYALTY_SIM_API_KEY")).orElse("loyalty-sim");
    }

    public Faults faults() {
      return new Faults(this);
    }

    public Clock clock() {
      return new Clock(this);
    }

    /** Calls the control API for this tenant, as {@code call("GET", "/webhooks?wait=5s", null)}, and returns JSON. */
    public String call(String method, String path, String json) {
      return simulator.call(method, path + (path.contains("?") ? "&" : "?") + "tenant=" + name, json);
    }

    /** Returns its requests, the oldest first: each with endpoint, status and the fault that hit it. */
    public List<Map<String, Object>> requests() {
      List<Map<String, Object>> found = new ArrayList<>();
      while (true) {
        Map<String, Object> page = Json.object(call("GET", "/requests?limit=1000&offset=" + found.size(), null));
        List<Map<String, Object>> items = Json.objects(page.get("items"));
        found.addAll(items);
        if (items.isEmpty() || found.size() >= ((Number) page.get("count")).intValue()) return found;
      }
    }

    /** Judges how its client retried so far. */
    public Map<String, Object> verdict() {
      return verdict(false);
    }

    /** Judges how its client retried; {@code clientEnded} says that it does nothing more. */
    public Map<String, Object> verdict(boolean clientEnded) {
      return Json.object(call("GET", "/verdict?clientEnded=" + clientEnded, null));
    }

    /** Returns everything known of a contact, by id or member number. */
    public Map<String, Object> contact(String id) {
      return Json.object(call("GET", "/contacts/" + encode(id) + "/card", null));
    }

    /** Applies a scenario: as JSON, or a built-in one by its name in quotes. */
    public void applyScenario(String json) {
      call("PUT", "/scenario", json);
    }

    /** Resets it to its start. */
    public void reset() {
      call("POST", "/reset", null);
    }

    /** Deletes it. */
    public void close() {
      simulator.call("DELETE", "/tenants/" + name, null);
    }

    private String explain(Map<String, Object> verdict, boolean clientEnded) {
      String text = call("GET", "/verdict?as=text&clientEnded=" + clientEnded, null);
      return "the verdict on tenant " + name + " is " + verdict.get("verdict") + "\n" + text.stripTrailing();
    }
  }

  /** Are the faults that hit the requests of one tenant. */
  public static final class Faults {
    private final Tenant tenant;

    Faults(Tenant tenant) {
      this.tenant = tenant;
    }

    /** Adds a rule before all others, and returns its id. A rule that never fires fails the test. */
    public String add(String rule) {
      return (String) Json.object(tenant.call("POST", "/faults", rule)).get("id");
    }

    /** Deletes the rules that were added, and releases the requests that a fault holds up. */
    public void clear() {
      tenant.call("DELETE", "/faults", null);
    }
  }

  /** Is the clock of one tenant. */
  public static final class Clock {
    private final Tenant tenant;

    Clock(Tenant tenant) {
      this.tenant = tenant;
    }

    /** Returns the time, as {@code 2026-03-01T12:00:00.000Z}. */
    public String now() {
      return (String) Json.object(tenant.call("GET", "/clock", null)).get("now");
    }

    /** Lets this much time pass ({@code 30d}, {@code 15m}), and waits for all work that is due by then. */
    public void advance(String duration) {
      tenant.call("POST", "/clock", "{\"advance\":" + Json.quote(duration) + "}");
    }

    /** Sets the clock, and waits for all work that is due by then. */
    public void set(String timestamp) {
      tenant.call("POST", "/clock", "{\"set\":" + Json.quote(timestamp) + "}");
    }

    /** Stops the clock. */
    public void freeze() {
      tenant.call("POST", "/clock", "{\"freeze\":true}");
    }

    /** Lets the clock run on from where it stands. */
    public void resume() {
      tenant.call("POST", "/clock", "{\"resume\":true}");
    }
  }

  private static final Namespace NAMESPACE = Namespace.create(LoyaltySim.class);
  private static final List<String> STATUSES = List.of("PASS", "FAIL", "INCONCLUSIVE");

  @Override
  public void beforeEach(ExtensionContext context) {
    for (String accepted : acceptedIn(context)) {
      if (STATUSES.contains(accepted)) continue;
      throw new IllegalArgumentException("@LoyaltySim.Judge: accept = \"" + accepted + "\": expected some of " + STATUSES);
    }
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == Tenant.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return context.getStore(NAMESPACE).getOrComputeIfAbsent("tenant", key -> openTenant(context), Tenant.class);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    Tenant tenant = context.getStore(NAMESPACE).get("tenant", Tenant.class);
    if (tenant == null) return;
    boolean clientEnded = judgeOf(context).map(Judge::clientEnded).orElse(true);
    Map<String, Object> verdict;
    try {
      verdict = tenant.verdict(clientEnded);
    } catch (LoyaltySimException error) {
      // A test may delete its tenant.
      if (error.status() == 404) return;
      throw error;
    }
    boolean isAccepted = isIdle(tenant, verdict) || acceptedIn(context).contains((String) verdict.get("verdict"));
    String failure = isAccepted ? null : tenant.explain(verdict, clientEnded);
    // Under exec it stays, to be reported, unless it would fail there what is accepted here.
    boolean isReported = tenant.simulator.isShared && (failure != null || verdict.get("verdict").equals("PASS"));
    if (!isReported) tenant.close();
    if (failure != null) throw new VerdictError(failure);
  }

  /** Returns whether nothing was sent, and nothing was to go wrong or is expected. */
  private static boolean isIdle(Tenant tenant, Map<String, Object> verdict) {
    int requests = ((Number) verdict.get("requests")).intValue() + ((Number) verdict.get("evicted")).intValue();
    if (requests > 0 || !((List<?>) verdict.get("rules")).isEmpty()) return false;
    Map<?, ?> scenario = (Map<?, ?>) Json.object(tenant.call("GET", "/scenario", null)).get("scenario");
    List<?> expectations = (List<?>) scenario.get("expectations");
    return expectations == null || expectations.isEmpty();
  }

  private static Tenant openTenant(ExtensionContext context) {
    Simulator simulator =
        context.getRoot().getStore(NAMESPACE).getOrComputeIfAbsent("simulator", key -> Simulator.open(), Simulator.class);
    String test = context.getTestMethod().map(method -> method.getName()).orElse("test");
    String stem = test.replaceAll("[^A-Za-z0-9]+", "-").replaceAll("^-+", "");
    String name = (stem.isEmpty() ? "test" : stem.substring(0, Math.min(stem.length(), 40))) + "-" + shortId();
    String options = judgeOf(context).map(Judge::options).orElse("{}");
    Map<String, Object> sent = new LinkedHashMap<>(Json.object(Json.withDoubleQuotes(options)));
    sent.put("name", name);
    simulator.call("POST", "/tenants", Json.write(sent));
    return new Tenant(simulator, name);
  }

  private static String shortId() {
    return UUID.randomUUID().toString().substring(0, 8);
  }

  private static Optional<Judge> judgeOf(ExtensionContext context) {
    Optional<Judge> own = context.getElement().map(element -> element.getAnnotation(Judge.class));
    return own.isPresent() ? own : context.getTestClass().map(type -> type.getAnnotation(Judge.class));
  }

  private static List<String> acceptedIn(ExtensionContext context) {
    return judgeOf(context).map(judge -> Arrays.asList(judge.accept())).orElse(List.of("PASS"));
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** Is the simulator that all tests share. It is closed by JUnit when all tests have ended. */
  private static final class Simulator implements ExtensionContext.Store.CloseableResource {
    final String url;
    final boolean isShared;
    private final String adminUrl;
    private final Process process;
    // No proxy of the machine is asked.
    private final HttpClient http =
        HttpClient.newBuilder().proxy(HttpClient.Builder.NO_PROXY).version(HttpClient.Version.HTTP_1_1).build();

    private Simulator(String url, String adminUrl, Process process) {
      this.url = url.replaceAll("/$", "");
      this.adminUrl = adminUrl.replaceAll("/$", "");
      this.process = process;
      this.isShared = process == null;
    }

    /** Returns the simulator of exec, or starts one. */
    static Simulator open() {
      String url = System.getenv("LOYALTY_SIM_URL");
      if (url == null || url.isEmpty()) return start();
      String adminUrl = System.getenv("LOYALTY_SIM_ADMIN_URL");
      return new Simulator(url, adminUrl == null ? url + "/__admin" : adminUrl, null);
    }

    /** Starts the command that the system property loyalty-sim.command names, with those of loyalty-sim.options. */
    private static Simulator start() {
      boolean isWindows = System.getProperty("os.name").startsWith("Windows");
      String standard = (isWindows ? "npx.cmd" : "npx") + " --no-install loyalty-sim";
      List<String> command = words(System.getProperty("loyalty-sim.command", standard));
      String shown = String.join(" ", command) + " start";
      command.addAll(List.of("start", "--port", "0", "--json", "--log", "silent", "--stop-with-stdin"));
      command.addAll(words(System.getProperty("loyalty-sim.options", "")));
      String advice = "install the package, or name its command: -Dloyalty-sim.command=…";
      try {
        Path errors = Files.createTempFile("loyalty-sim", ".log");
        Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
        BufferedReader output =
            new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String line = Optional.ofNullable(output.readLine()).orElse("");
        if (!line.startsWith("{\"event\":\"ready\"")) {
          process.getOutputStream().close();
          process.waitFor(30, TimeUnit.SECONDS);
          String said = (line + "\n" + Files.readString(errors)).strip();
          Files.delete(errors);
          throw new LoyaltySimException(shown + " did not become ready; " + advice + "\n" + said, 0);
        }
        errors.toFile().deleteOnExit();
        // Whatever else it prints must not fill the pipe.
        Thread drain = new Thread(() -> output.lines().forEach(more -> {}), "loyalty-sim");
        drain.setDaemon(true);
        drain.start();
        Map<String, Object> ready = Json.object(line);
        return new Simulator((String) ready.get("url"), (String) ready.get("adminUrl"), process);
      } catch (IOException error) {
        throw new LoyaltySimException(shown + ": " + error.getMessage() + "; " + advice, 0);
      } catch (InterruptedException error) {
        Thread.currentThread().interrupt();
        throw new LoyaltySimException(shown + ": interrupted", 0);
      }
    }

    /** Splits a command at its spaces, except inside double quotes. */
    private static List<String> words(String text) {
      List<String> words = new ArrayList<>();
      java.util.regex.Matcher found = java.util.regex.Pattern.compile("\"([^\"]*)\"|(\\S+)").matcher(text);
      while (found.find()) words.add(found.group(1) == null ? found.group(2) : found.group(1));
      return words;
    }

    /** Calls the control API and returns what it responds. */
    String call(String method, String path, String json) {
      HttpRequest.BodyPublisher body =
          json == null
              ? HttpRequest.BodyPublishers.noBody()
              : HttpRequest.BodyPublishers.ofString(Json.withDoubleQuotes(json));
      HttpRequest.Builder request =
          HttpRequest.newBuilder(URI.create(adminUrl + path)).timeout(Duration.ofSeconds(60)).method(method, body);
      if (json != null) request.header("content-type", "application/json");
      String adminKey = System.getenv("LOYALTY_SIM_ADMIN_KEY");
      if (adminKey != null && !adminKey.isEmpty()) request.header("x-sim-admin-key", adminKey);
      try {
        HttpResponse<String> response = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() < 300) return response.body();
        throw new LoyaltySimException(
            method + " " + path + ": " + response.statusCode() + ": " + mistakesIn(response.body()),
            response.statusCode());
      } catch (IOException error) {
        throw new UncheckedIOException(method + " " + adminUrl + path + ": there is no simulator", error);
      } catch (InterruptedException error) {
        Thread.currentThread().interrupt();
        throw new LoyaltySimException(method + " " + path + ": interrupted", 0);
      }
    }

    private static String mistakesIn(String body) {
      try {
        Map<String, Object> error = Json.object(body);
        if (error.get("validationErrors") == null) return String.valueOf(error.get("message"));
        List<String> mistakes = new ArrayList<>();
        for (Map<String, Object> one : Json.objects(error.get("validationErrors"))) {
          mistakes.add(one.get("field") + " " + one.get("errorDescription"));
        }
        return String.join("; ", mistakes);
      } catch (RuntimeException unreadable) {
        return body;
      }
    }

    /** Stops the simulator, if it was started here: it stops with its standard input, and so when this process is killed. */
    @Override
    public void close() throws Exception {
      if (process == null) return;
      process.getOutputStream().close();
      if (!process.waitFor(30, TimeUnit.SECONDS)) process.destroyForcibly();
    }
  }

  /** Reads and writes JSON: as Map, List, String, Long or Double, Boolean and null. */
  public static final class Json {
    private final String text;
    private int at;

    private Json(String text) {
      this.text = text;
    }

    /** Reads a JSON text. Throws IllegalArgumentException for what is none, with the place. */
    public static Object parse(String text) {
      Json reader = new Json(text);
      Object value = reader.value();
      reader.skipSpace();
      if (reader.at < text.length()) throw reader.unexpected();
      return value;
    }

    /** Writes a value as JSON. */
    public static String write(Object value) {
      if (value instanceof Map) {
        List<String> members = new ArrayList<>();
        ((Map<?, ?>) value).forEach((name, one) -> members.add(quote(String.valueOf(name)) + ":" + write(one)));
        return "{" + String.join(",", members) + "}";
      }
      if (value instanceof List) {
        List<String> items = new ArrayList<>();
        for (Object one : (List<?>) value) items.add(write(one));
        return "[" + String.join(",", items) + "]";
      }
      return value instanceof String ? quote((String) value) : String.valueOf(value);
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> object(String text) {
      return (Map<String, Object>) parse(text);
    }

    @SuppressWarnings("unchecked")
    static List<Map<String, Object>> objects(Object value) {
      return (List<Map<String, Object>>) value;
    }

    static String quote(String text) {
      StringBuilder quoted = new StringBuilder("\"");
      for (char one : text.toCharArray()) {
        if (one == '"' || one == '\\') quoted.append('\\').append(one);
        else if (one < ' ') quoted.append(String.format("\\u%04x", (int) one));
        else quoted.append(one);
      }
      return quoted.append('"').toString();
    }

    /** Lets a text without any double quote have single ones in their place, which Java's strings need not escape. */
    static String withDoubleQuotes(String json) {
      return json.contains("\"") ? json : json.replace('\'', '"');
    }

    private Object value() {
      skipSpace();
      char next = peek();
      if (next == '{') return members();
      if (next == '[') return items();
      if (next == '"') return string();
      int end = at;
      while (end < text.length() && "+-.0123456789Eaeflnrstu".indexOf(text.charAt(end)) >= 0) end++;
      String word = text.substring(at, end);
      Object read = literal(word);
      at = end;
      return read;
    }

    private Object literal(String word) {
      if (word.equals("null")) return null;
      if (word.equals("true") || word.equals("false")) return word.equals("true");
      if (word.matches("-?\\d{1,18}")) return Long.valueOf(word);
      if (word.matches("-?\\d+(\\.\\d+)?([eE][-+]?\\d+)?")) return Double.valueOf(word);
      throw unexpected();
    }

    private Map<String, Object> members() {
      Map<String, Object> members = new LinkedHashMap<>();
      at++;
      while (!isAt('}', members.isEmpty())) {
        skipSpace();
        String name = string();
        skipSpace();
        expect(':');
        members.put(name, value());
      }
      return members;
    }

    private List<Object> items() {
      List<Object> items = new ArrayList<>();
      at++;
      while (!isAt(']', items.isEmpty())) items.add(value());
      return items;
    }

    /** Passes the end of a list, or the comma before its next item. */
    private boolean isAt(char end, boolean isFirst) {
      skipSpace();
      if (peek() == end) {
        at++;
        return true;
      }
      if (!isFirst) expect(',');
      return false;
    }

    private String string() {
      expect('"');
      StringBuilder read = new StringBuilder();
      while (peek() != '"') {
        char next = text.charAt(at++);
        read.append(next == '\\' ? escaped() : next);
      }
      at++;
      return read.toString();
    }

    private char escaped() {
      char kind = peek();
      at++;
      int simple = "\"\\/bfnrt".indexOf(kind);
      if (simple >= 0) return "\"\\/\b\f\n\r\t".charAt(simple);
      if (kind != 'u' || at + 4 > text.length()) throw unexpected();
      at += 4;
      return (char) Integer.parseInt(text.substring(at - 4, at), 16);
    }

    private char peek() {
      if (at >= text.length()) throw unexpected();
      return text.charAt(at);
    }

    private void expect(char wanted) {
      if (peek() != wanted) throw unexpected();
      at++;
    }

    private void skipSpace() {
      while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
    }

    private IllegalArgumentException unexpected() {
      String rest = at >= text.length() ? "the end" : text.substring(at, Math.min(text.length(), at + 20));
      return new IllegalArgumentException("JSON, at character " + at + ": unexpected " + rest);
    }
  }
}
