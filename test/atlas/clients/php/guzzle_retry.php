<?php
require '/usr/share/php/GuzzleHttp/autoload.php';

use GuzzleHttp\Client;
use GuzzleHttp\Exception\ConnectException;
use GuzzleHttp\HandlerStack;
use GuzzleHttp\Middleware;

/** Three repeats of what no response or a 5xx followed, with the middleware's own pauses. */
function byDefault($call)
{
    static $client;
    if (!$client) {
        $stack = HandlerStack::create();
        $stack->push(Middleware::retry(function ($retries, $request, $response = null, $error = null) {
            return $retries < 3 && ($error instanceof ConnectException || ($response && $response->getStatusCode() >= 500));
        }));
        $client = new Client(['handler' => $stack]);
    }
    return $client->request($call->method, $call->url, ['headers' => $call->headers, 'body' => $call->body]);
}
