import java.io.BufferedReader;
import java.io.InputStreamReader;

/** Sends the requests that it is told of, one after the other: java Worker Client byDefault|recipe. */
public class Worker {
  /** One request; empty fields for what it does not have. */
  public record Call(String name, String method, String url, String body, String key, String look) {}

  public interface Client {
    void byDefault(Call call) throws Exception;

    void recipe(Call call) throws Exception;
  }

  public static void main(String[] args) throws Exception {
    Client client = (Client) Class.forName(args[0]).getDeclaredConstructor().newInstance();
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      String[] fields = line.split("\t", -1);
      Call call = new Call(fields[0], fields[1], fields[2], fields[3], fields[4], fields[5]);
      try {
        if (args[1].equals("recipe")) client.recipe(call);
        else client.byDefault(call);
        System.out.println("done");
      } catch (Exception error) {
        System.out.println("failed: " + String.valueOf(error).replace('\n', ' '));
      }
    }
    System.exit(0);
  }
}
