<?php
require '/usr/share/php/GuzzleHttp/autoload.php';

use GuzzleHttp\Client;

function byDefault($call)
{
    static $client;
    $client ??= new Client();
    return $client->request($call->method, $call->url, ['headers' => $call->headers, 'body' => $call->body]);
}

// The recipe
use GuzzleHttp\Exception\TransferException;

function recipe($call)
{
    $headers = $call->headers + ($call->key === '' ? [] : ['Idempotency-Key' => $call->key]);
    for ($attempt = 1; $attempt <= 4; $attempt++) {
        [$status, $retryAfter] = send($call->method, $call->url, ['headers' => $headers, 'body' => $call->body]);
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

/** The status and Retry-After; 0 without a response, or when it is cut. A fresh connection, or libcurl repeats by itself. */
function send($method, $url, $options = [])
{
    static $client;
    $client ??= new Client(['timeout' => 10, 'http_errors' => false, 'curl' => [CURLOPT_FRESH_CONNECT => true]]);
    try {
        $response = $client->request($method, $url, $options);
        return [$response->getStatusCode(), (int) $response->getHeaderLine('Retry-After')];
    } catch (TransferException $error) {
        return [0, 0];
    }
}
