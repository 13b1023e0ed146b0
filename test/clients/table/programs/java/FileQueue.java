import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Works off files of a folder after a restart: each is deleted when it is delivered, or before. */
public class FileQueue {
  static final Path folder = Path.of(Shop.FOLDER, "queue");

  static List<Path> waiting() throws Exception {
    try (Stream<Path> all = Files.list(folder)) {
      return all.sorted().toList();
    }
  }

  public static void main(String[] args) throws Exception {
    boolean isRestarted = Files.exists(folder);
    boolean deletesFirst = args[0].equals("deletes-first");
    String[] name = args.length > 1 ? new String[] {"x-sim-client", args[1]} : new String[0];
    if (!isRestarted) {
      Files.createDirectories(folder);
      Files.writeString(folder.resolve("1"), Shop.receipt(Shop.ASTRID, "file-1", 249));
      Files.writeString(folder.resolve("2"), Shop.receipt(Shop.JOHAN, "file-2", 99));
    }
    for (Path file : waiting()) {
      String body = Files.readString(file);
      if (deletesFirst) Files.delete(file);
      boolean isFailed = HttpClientTill.failed(HttpClientTill.send(Shop.RECEIPTS, body, name));
      if (!isRestarted) Runtime.getRuntime().halt(0);
      if (!isFailed && !deletesFirst) Files.delete(file);
    }
  }
}
