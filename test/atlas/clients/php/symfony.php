<?php
require '/usr/share/php/Symfony/Component/HttpClient/autoload.php';

use Symfony\Component\HttpClient\HttpClient;

function byDefault($call)
{
    static $client;
    $client ??= HttpClient::create();
    $options = ['headers' => $call->headers] + ($call->body === '' ? [] : ['body' => $call->body]);
    return $client->request($call->method, $call->url, $options)->getContent();
}

// The recipe
use Symfony\Contracts\HttpClient\Exception\TransportExceptionInterface;

function recipe($call)
{
    $headers = $call->headers + ($call->key === '' ? [] : ['Idempotency-Key' => $call->key]);
    for ($attempt = 1; $attempt <= 4; $attempt++) {
        $options = ['headers' => $headers] + ($call->body === '' ? [] : ['body' => $call->body]);
        [$status, $retryAfter] = send($call->method, $call->url, $options);
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

/** The status and Retry-After; 0 without a response, or when it is cut. */
function send($method, $url, $options = [])
{
    $client = HttpClient::create(['timeout' => 10, 'max_duration' => 10]);
    try {
        $response = $client->request($method, $url, $options);
        $response->getContent(false);
        return [$response->getStatusCode(), (int) ($response->getHeaders(false)['retry-after'][0] ?? 0)];
    } catch (TransportExceptionInterface $error) {
        return [0, 0];
    }
}
