<?php
// Sells by a kept handle of curl.
require __DIR__ . '/shop.php';

$handle = curl_init();

function send(string $method, string $path, ?array $body = null, array $headers = []): array
{
    global $handle;
    curl_reset($handle);
    curl_setopt_array($handle, [
        CURLOPT_URL => base() . $path,
        CURLOPT_CUSTOMREQUEST => $method,
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_TIMEOUT => 30,
        CURLOPT_FRESH_CONNECT => in_array('fresh', $GLOBALS['argv'], true),
        CURLOPT_USERAGENT => 'web-shop-php/1.4',
        CURLOPT_HTTPHEADER => ['content-type: application/json', ...$headers],
    ]);
    if ($body !== null) {
        curl_setopt($handle, CURLOPT_POSTFIELDS, json_encode($body));
    }
    $text = curl_exec($handle);
    return [$text === false ? 0 : curl_getinfo($handle, CURLINFO_RESPONSE_CODE), $text];
}

$accounts = '/api/v3/point-accounts?contactId=';
switch ($argv[1]) {
    case 'right':
        foreach ([ASTRID, JOHAN, ELIN] as $i => $contact) {
            send('GET', $accounts . $contact);
            repeat(fn () => send('POST', RECEIPTS, receipt($contact, "handle-$i"))[0]);
        }
        break;
    case 'uniqid':
        repeat(fn () => send('POST', RECEIPTS, receipt(ASTRID, uniqid()))[0]);
        break;
    case 'points-looks':
        $before = send('GET', $accounts . ASTRID)[1];
        for ($i = 0; $i < 4; $i++) {
            if (!failed(send('POST', BULK, [bonus(ASTRID, 50)])[0])) {
                break;
            }
            usleep(100_000);
            do {
                [$status, $now] = send('GET', $accounts . ASTRID);
            } while (failed($status));
            if ($now !== $before) {
                break;
            }
        }
        break;
    case 'points-other':
        // The page of the next customer is shown before the job repeats.
        repeat(function () use ($accounts) {
            send('GET', $accounts . JOHAN);
            return send('POST', BULK, [bonus(ASTRID, 50)])[0];
        });
        break;
    case 'points-keyed':
        repeat(fn () => send('POST', BULK, [bonus(ASTRID, 50)], ['Idempotency-Key: php-1'])[0]);
        break;
}
