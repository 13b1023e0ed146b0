<?php
require '/usr/share/php/Symfony/Component/HttpClient/autoload.php';

use Symfony\Component\HttpClient\HttpClient;
use Symfony\Component\HttpClient\RetryableHttpClient;

function byDefault($call)
{
    static $client;
    $client ??= new RetryableHttpClient(HttpClient::create());
    $options = ['headers' => $call->headers] + ($call->body === '' ? [] : ['body' => $call->body]);
    return $client->request($call->method, $call->url, $options)->getContent();
}
