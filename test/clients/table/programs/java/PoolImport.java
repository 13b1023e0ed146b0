import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Imports receipts by a pool of four threads that share one client. */
public class PoolImport {
  public static void main(String[] args) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(4);
    List<Future<?>> all = new ArrayList<>();
    String[] contacts = {Shop.ASTRID, Shop.JOHAN, Shop.ELIN};
    for (int i = 0; i < 9; i++) {
      int number = i;
      all.add(pool.submit(() -> {
        String body = Shop.receipt(contacts[number % 3], "pool-" + number, 100 + number);
        if (args[0].equals("drops")) HttpClientTill.send(Shop.RECEIPTS, body);
        else HttpClientTill.repeat(Shop.RECEIPTS, (attempt) -> body);
        return null;
      }));
    }
    for (Future<?> one : all) one.get();
    pool.shutdown();
  }
}
