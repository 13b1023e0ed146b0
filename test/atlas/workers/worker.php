<?php
/** Sends the requests that it is told of, one after the other: php worker.php <file> byDefault|recipe. */
error_reporting(E_ALL & ~E_DEPRECATED & ~E_WARNING);
require $argv[1];

while (($line = fgets(STDIN)) !== false) {
    [$name, $method, $url, $body, $key, $look] = explode("\t", rtrim($line, "\n"));
    $headers = $body === '' ? [] : ['Content-Type' => 'application/json'];
    $call = (object) compact('name', 'method', 'url', 'headers', 'body', 'key', 'look');
    try {
        $argv[2] === 'recipe' ? recipe($call) : byDefault($call);
        echo "done\n";
    } catch (Throwable $error) {
        echo 'failed: ', get_class($error), ': ', strtok($error->getMessage(), "\n"), "\n";
    }
}
