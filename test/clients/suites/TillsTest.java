import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests of tills by JUnit, some of which are to fail (test/clients/java.test.ts). */
@ExtendWith(LoyaltySim.class)
class TillsTest {
  static final String ASTRID = "5a0e7c1e-0001-4000-8000-000000000001";
  static final String OUTAGE = "{'id': 'outage', 'match': {'endpoint': 'countContacts'}, 'fault': ['504']}";
  // There is a proxy, which leads nowhere.
  static final HttpClient HTTP = HttpClient.newBuilder().proxy(HttpClient.Builder.NO_PROXY).build();

  static HttpResponse<String> call(LoyaltySim.Tenant tenant, String path, String body) throws Exception {
    HttpRequest.BodyPublisher sent =
        body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body);
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(tenant.url() + "/api/v3" + path))
            .header("apikey", tenant.apiKey())
            .header("content-type", "application/json")
            .header("accept", "application/json")
            .method(body == null ? "GET" : "POST", sent)
            .build();
    return HTTP.send(request, HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void repeats(LoyaltySim.Tenant tenant) throws Exception {
    tenant.faults().add(OUTAGE);
    assertEquals(504, call(tenant, "/contacts/count", null).statusCode());
    assertEquals("40", call(tenant, "/contacts/count", null).body());
    List<Object> statuses = tenant.requests().stream().map(one -> one.get("status")).collect(Collectors.toList());
    assertEquals(List.of(504L, 200L), statuses);
  }

  @Test
  void givesUp(LoyaltySim.Tenant tenant) throws Exception {
    tenant.faults().add(OUTAGE);
    assertEquals(504, call(tenant, "/contacts/count", null).statusCode());
  }

  @Test
  void neverMeetsItsFault(LoyaltySim.Tenant tenant) throws Exception {
    tenant.faults().add(OUTAGE);
    assertEquals(200, call(tenant, "/stores", null).statusCode());
  }

  @Test
  void sendsNothingExpected(LoyaltySim.Tenant tenant) {
    tenant.applyScenario("{'expectations': [{'request': {'endpoint': 'createReceipt'}}]}");
  }

  @Test
  @LoyaltySim.Judge(accept = "FAIL")
  void givesUpAndMay(LoyaltySim.Tenant tenant) throws Exception {
    tenant.faults().add(OUTAGE);
    assertEquals(504, call(tenant, "/contacts/count", null).statusCode());
  }

  @Test
  void failsByItself(LoyaltySim.Tenant tenant) throws Exception {
    tenant.faults().add(OUTAGE);
    assertEquals(200, call(tenant, "/contacts/count", null).statusCode());
  }

  @RepeatedTest(2)
  void seesItsOwnDataAlone(LoyaltySim.Tenant tenant) throws Exception {
    String contact = "{\"contactType\": \"member\", \"email\": \"new@example.com\", \"firstName\": \"Zo\u00eb\"}";
    assertEquals(201, call(tenant, "/contacts", contact).statusCode());
    assertEquals("41", call(tenant, "/contacts/count", null).body());
  }

  @Test
  @LoyaltySim.Judge(options = "{'now': '2026-03-01T12:00:00Z'}")
  void movesTheClock(LoyaltySim.Tenant tenant) {
    tenant.clock().advance("14d");
    assertEquals("2026-03-15T12:00:00.000Z", tenant.clock().now());
    List<?> accounts = (List<?>) tenant.contact(ASTRID).get("pointAccounts");
    assertTrue(accounts.get(0).toString().contains("pendingPoints=0"), accounts.toString());
  }

  @Test
  void namesMistakes(LoyaltySim.Tenant tenant) {
    String rule = "{'match': {'endpoint': 'countContact'}, 'fault': '504'}";
    Exception error = assertThrows(RuntimeException.class, () -> tenant.faults().add(rule));
    assertTrue(error.getMessage().contains("match.endpoint is \"countContact\""), error.getMessage());
  }

  @Test
  void deletesItsTenant(LoyaltySim.Tenant tenant) {
    tenant.faults().add(OUTAGE);
    tenant.close();
  }

  @Test
  @LoyaltySim.Judge(accept = "pass")
  void misspellsItsVerdict(LoyaltySim.Tenant tenant) {}

  @Test
  void readsJson() {
    String text = "{\"a\":[1,-2.5,1.0E10,true,null,\"\\u00e9\\n\\\"\"],\"b\":{},\"c\":[]}";
    assertEquals(LoyaltySim.Json.parse(text), LoyaltySim.Json.parse(LoyaltySim.Json.write(LoyaltySim.Json.parse(text))));
    for (String wrong : List.of("", "{", "[1,]", "{\"a\" 1}", "nul", "\"a", "1 2", "01x")) {
      assertThrows(IllegalArgumentException.class, () -> LoyaltySim.Json.parse(wrong), wrong);
    }
  }
}
