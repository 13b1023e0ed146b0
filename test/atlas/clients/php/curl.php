<?php
function handleOf($call, $headers)
{
    static $handle;
    $handle ??= curl_init();
    curl_reset($handle);
    $lines = array_map(fn($name) => "$name: {$headers[$name]}", array_keys($headers));
    curl_setopt_array($handle, [
        CURLOPT_URL => $call->url,
        CURLOPT_CUSTOMREQUEST => $call->method,
        CURLOPT_HTTPHEADER => $lines,
        CURLOPT_RETURNTRANSFER => true,
    ] + ($call->body === '' ? [] : [CURLOPT_POSTFIELDS => $call->body]));
    return $handle;
}

function byDefault($call)
{
    $handle = handleOf($call, $call->headers);
    if (curl_exec($handle) === false) {
        throw new RuntimeException(curl_error($handle));
    }
    return curl_getinfo($handle, CURLINFO_RESPONSE_CODE);
}

// The recipe
function recipe($call)
{
    $headers = $call->headers + ($call->key === '' ? [] : ['Idempotency-Key' => $call->key]);
    for ($attempt = 1; $attempt <= 4; $attempt++) {
        [$status, $retryAfter] = send($call, $headers);
        if ($status !== 429 && $status > 0 && $status < 500) {
            return $status;
        }
        usleep(max(150_000 * 2 ** $attempt, 1_000_000 * $retryAfter));
        // A new contact has no key of its own: look whether it was created, before it is sent again.
        $look = (object) ['method' => 'GET', 'url' => $call->look, 'body' => ''];
        if ($call->look !== '' && send($look, [])[0] !== 404) {
            return 201; // it was created, or nobody says: then a person looks
        }
    }
    throw new RuntimeException('not delivered'); // keep the request in a queue on disk, and send it later
}

/** The status and Retry-After; 0 without a response, or when it is cut. */
function send($call, $headers)
{
    $handle = handleOf($call, $headers);
    curl_setopt($handle, CURLOPT_TIMEOUT, 10);
    // Without this, libcurl sends a POST again by itself when it was lost on a connection that it reused.
    curl_setopt($handle, CURLOPT_FRESH_CONNECT, true);
    $isWhole = curl_exec($handle) !== false;
    return $isWhole ? [curl_getinfo($handle, CURLINFO_RESPONSE_CODE), curl_getinfo($handle, CURLINFO_RETRY_AFTER)] : [0, 0];
}
