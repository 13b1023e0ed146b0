import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Sells, and delivers by a timer what could not be delivered at once. */
public class ScheduledTill {
  public static void main(String[] args) throws Exception {
    boolean isStack = args[0].equals("stack");
    Deque<String> kept = new ArrayDeque<>();
    String[] contacts = {Shop.ASTRID, Shop.JOHAN, Shop.ELIN};
    for (int i = 0; i < contacts.length; i++) {
      String body = Shop.receipt(contacts[i], "timer-" + i, 100 + i);
      if (!isStack && !kept.isEmpty()) kept.addLast(body);
      else if (HttpClientTill.failed(HttpClientTill.send(Shop.RECEIPTS, body))) kept.addLast(body);
    }
    CountDownLatch done = new CountDownLatch(1);
    ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    timer.scheduleWithFixedDelay(() -> {
      while (!kept.isEmpty()) {
        String next = isStack ? kept.peekLast() : kept.peekFirst();
        if (HttpClientTill.failed(HttpClientTill.send(Shop.RECEIPTS, next))) return;
        if (isStack) kept.pollLast(); else kept.pollFirst();
      }
      done.countDown();
    }, 1200, 1200, TimeUnit.MILLISECONDS);
    done.await(60, TimeUnit.SECONDS);
    timer.shutdownNow();
  }
}
