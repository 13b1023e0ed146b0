<?php
// Sells by PHP's own streams, as plugins of web shops do.
require __DIR__ . '/shop.php';

function send(string $method, string $path, ?array $body = null): array
{
    $http = ['method' => $method, 'timeout' => 30, 'ignore_errors' => true, 'header' => 'content-type: application/json'];
    if ($body !== null) {
        $http['content'] = json_encode($body);
    }
    $text = @file_get_contents(base() . $path, false, stream_context_create(['http' => $http]));
    return [isset($http_response_header) ? (int) explode(' ', $http_response_header[0])[1] : 0, $text];
}

switch ($argv[1]) {
    case 'right':
        foreach ([ASTRID, JOHAN] as $i => $contact) {
            repeat(fn () => send('POST', RECEIPTS, receipt($contact, "stream-$i"))[0]);
        }
        break;
    case 'drops':
        foreach ([ASTRID, JOHAN] as $i => $contact) {
            send('POST', RECEIPTS, receipt($contact, "stream-$i"));
        }
        break;
    case 'failed-look':
        // What is not found is created, and so is what could not be looked for.
        [, $found] = send('GET', '/api/v3/contacts/id?email=johan.bergstrom%40example.com');
        if (!is_string(json_decode((string) $found))) {
            send('POST', '/api/v3/contacts', ['email' => 'johan.bergstrom@example.com', 'contactType' => 'Contact']);
        }
        break;
}
