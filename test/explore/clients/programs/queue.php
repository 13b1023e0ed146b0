<?php
/**
 * A till with a write-ahead queue of a file per entry: a sale is a folder that gets its name by a rename when it is
 * complete, and a delivered entry is deleted. Its argument names a defect.
 */
require __DIR__ . '/careful.php';

$defect = $argv[1] ?? 'none';
$till = new Careful("file-till-$defect");
$folder = (getenv('TILL_FOLDER') ?: '.') . '/queue';
$customers = ['astrid.lindqvist@example.com', 'johan.bergstrom@example.com', 'elin.sandberg@example.com'];
if (!is_dir($folder)) mkdir($folder);

function writeDurably(string $file, string $text): void
{
    $open = fopen($file, 'w');
    fwrite($open, $text);
    fflush($open);
    fsync($open);
    fclose($open);
}

/** Everything that waits, the oldest first. */
function waiting(): array
{
    global $folder;
    $files = glob("$folder/sale-*/*.json");
    sort($files, SORT_STRING);
    return $files;
}

function sell(int $number): void
{
    global $folder, $till, $customers;
    $contact = $till->find('/api/v3/contacts/id?email=' . urlencode($customers[$number]));
    $entries = [];
    for ($i = 0; $i < 3; $i++) {
        $body = receipt(bin2hex(random_bytes(8)), $contact, 100 + $number * 10 + $i);
        $entries[] = ['method' => 'POST', 'path' => '/api/v3/receipts', 'text' => json_encode($body)];
    }
    foreach (["Drottninggatan $number", "Drottninggatan 1$number"] as $street) {
        $text = json_encode(['street' => $street]);
        $entries[] = ['method' => 'PATCH', 'path' => "/api/v3/contacts/$contact", 'text' => $text];
    }
    $draft = "$folder/draft";
    if (is_dir($draft)) array_map('unlink', glob("$draft/*"));
    else mkdir($draft);
    foreach ($entries as $i => $entry) {
        writeDurably("$draft/$i.json", json_encode($entry));
    }
    rename($draft, "$folder/sale-$number");
}

/** What was given up is left alone for a while. */
function hold(float $retryAfter = 0): void
{
    global $till, $heldUntil;
    $heldUntil = microtime(true) + max($till->forwardAfter / 1000, $retryAfter);
}

/** Tries each entry; returns whether all of it got through. */
function deliver(): bool
{
    global $till, $defect, $heldUntil;
    if (microtime(true) < $heldUntil) return false;
    $isDone = true;
    foreach (waiting() as $file) {
        $entry = json_decode(file_get_contents($file), true);
        try {
            $till->call($entry['method'], $entry['path'], $entry['text']);
        } catch (Undelivered $error) {
            hold($error->retryAfter);
            $isDone = false;
            // All of them are tried, so that one that is refused blocks no other.
            if ($defect === 'passes-by') continue;
            return false;
        }
        unlink($file);
    }
    return $isDone;
}

function finish(): void
{
    global $till, $heldUntil;
    while (!deliver() && microtime(true) - $till->started < $till->patience) {
        usleep((int) (max(0, $heldUntil - microtime(true)) * 1_000_000));
    }
}

$heldUntil = 0.0;
if (waiting() !== []) hold();
finish();
for ($number = count(glob("$folder/sale-*", GLOB_ONLYDIR)); $number < count($customers); $number++) {
    sell($number);
    deliver();
}
finish();
