<?php
function ask($method, $url, $headers, $body, $http_options = [])
{
    $lines = array_map(fn($name) => "$name: {$headers[$name]}", array_keys($headers));
    $http = ['method' => $method, 'header' => $lines, 'content' => $body] + $http_options;
    $text = file_get_contents($url, false, stream_context_create(['http' => $http]));
    return [$text, $http_response_header ?? []];
}

function byDefault($call)
{
    [$text] = ask($call->method, $call->url, $call->headers, $call->body);
    if ($text === false) {
        throw new RuntimeException('failed to open stream');
    }
    return $text;
}

// The recipe
function recipe($call)
{
    $headers = $call->headers + ($call->key === '' ? [] : ['Idempotency-Key' => $call->key]);
    for ($attempt = 1; $attempt <= 4; $attempt++) {
        [$status, $retryAfter] = send($call->method, $call->url, $headers, $call->body);
        if ($status !== 429 && $status > 0 && $status < 500) {
            return $status;
        }
        usleep(max(150_000 * 2 ** $attempt, 1_000_000 * $retryAfter));
        // A new contact has no key of its own: look whether it was created, before it is sent again.
        if ($call->look !== '' && send('GET', $call->look)[0] !== 404) {
            return 201; // it was created, or nobody says: then a person looks
        }
    }
    throw new RuntimeException('not delivered'); // keep the request in a queue on disk, and send it later
}

/** The status and Retry-After; 0 without a response, or when it is cut, which nothing else says. */
function send($method, $url, $headers = [], $body = '')
{
    [$text, $lines] = ask($method, $url, $headers, $body, ['timeout' => 10, 'ignore_errors' => true]);
    $named = fn($name) => preg_match("/^$name: *(\d+)/im", implode("\n", $lines), $found) ? (int) $found[1] : null;
    if ($text === false || $lines === [] || strlen($text) < ($named('Content-Length') ?? 0)) {
        return [0, 0];
    }
    return [(int) explode(' ', $lines[0])[1], $named('Retry-After') ?? 0];
}
