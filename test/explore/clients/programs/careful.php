<?php
/** Sends requests as the specification's guidance to callers asks, with PHP's curl. */
const TRANSIENT = [429, 500, 502, 503, 504];
const PAUSES = [20, 40, 80];

class Undelivered extends Exception
{
    public float $retryAfter = 0;
}

class Careful
{
    public int $forwardAfter = 250;
    public float $patience = 5.0;
    public float $started;
    private CurlHandle $curl;

    public function __construct(public string $client)
    {
        $this->started = microtime(true);
        $this->curl = curl_init();
    }

    /** One attempt: status, body, pause asked for; null when no whole response came in time. */
    public function attempt(string $method, string $path, ?string $text = null, array $headers = []): ?array
    {
        $sent = ['User-Agent: ' . $this->client . '/1.0', 'x-sim-client: ' . $this->client, ...$headers];
        if (getenv('LOYALTY_SIM_API_KEY')) $sent[] = 'apikey: ' . getenv('LOYALTY_SIM_API_KEY');
        if ($text !== null) $sent[] = 'Content-Type: application/json';
        $retryAfter = 0.0;
        curl_reset($this->curl);
        curl_setopt_array($this->curl, [
            CURLOPT_URL => getenv('LOYALTY_SIM_URL') . $path,
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_TIMEOUT_MS => 400,
            CURLOPT_NOSIGNAL => true,
            CURLOPT_HTTPHEADER => [...$sent, 'Expect:'],
            // curl itself repeats a request once when a kept connection was closed.
            CURLOPT_FRESH_CONNECT => true,
            CURLOPT_FORBID_REUSE => true,
            CURLOPT_HEADERFUNCTION => function ($curl, $line) use (&$retryAfter) {
                if (stripos($line, 'retry-after:') === 0) $retryAfter = (float) trim(substr($line, 12));
                return strlen($line);
            },
        ] + ($text === null ? [] : [CURLOPT_POSTFIELDS => $text]));
        $body = curl_exec($this->curl);
        $status = curl_getinfo($this->curl, CURLINFO_RESPONSE_CODE);
        $isWhole = curl_errno($this->curl) === 0;
        // A write with status 2xx is done, even if the rest of the response is lost.
        if (!$isWhole && ($method === 'GET' || intdiv($status, 100) !== 2)) return null;
        return [$status, $isWhole && $body !== '' ? json_decode($body, true) : null, $retryAfter];
    }

    /** Tries at most four times. Throws Undelivered after the last one. */
    public function call(string $method, string $path, string|callable|null $text = null, array $headers = [], ?callable $tookEffect = null): array
    {
        $answer = null;
        for ($repeat = 0; $repeat <= count(PAUSES); $repeat++) {
            if ($repeat > 0) {
                usleep((int) (max(($answer[2] ?? 0) * 1000, PAUSES[$repeat - 1] * 1.2) * 1000));
                if ($tookEffect !== null && $tookEffect()) return [200, null, 0];
            }
            $body = is_string($text) || $text === null ? $text : $text($repeat);
            $answer = $this->attempt($method, $path, $body, $headers);
            if ($answer !== null && !in_array($answer[0], TRANSIENT, true)) return $answer;
        }
        $undelivered = new Undelivered($path);
        $undelivered->retryAfter = $answer[2] ?? 0;
        throw $undelivered;
    }

    /** Goes on until the service answers, or the patience is over. */
    public function insist(callable $work): array
    {
        for ($round = 1; ; $round++) {
            try {
                return $work();
            } catch (Undelivered $error) {
                if (microtime(true) - $this->started > $this->patience) throw $error;
                usleep((int) (max($error->retryAfter * 1000, $this->forwardAfter * min($round, 4)) * 1000));
            }
        }
    }

    public function find(string $path): mixed
    {
        [$status, $body] = $this->insist(fn() => $this->call('GET', $path));
        return $status === 200 ? $body : null;
    }

    /** Looks something up for a repeat. Throws Undelivered when the service does not say. */
    public function look(string $path): mixed
    {
        [$status, $body] = $this->call('GET', $path);
        return $status === 200 ? $body : null;
    }
}

function receipt(string $key, string $contact, float $price, ?string $coupon = null): array
{
    return [
        'contact' => ['matchKey' => $contact, 'matchKeyType' => 'contactId'],
        'uniqueReceiptId' => $key,
        'createdDate' => gmdate('Y-m-d\TH:i:s\Z'),
        'storeExternalId' => '100',
        'currency' => 'SEK',
        'totalGrossPrice' => $price,
        'paymentMethods' => [['type' => 'CARD', 'value' => $price]],
        'items' => [[
            'type' => 'PURCHASE', 'quantity' => 1, 'grossPaidPrice' => $price, 'taxAmount' => $price / 5, 'taxPercent' => 25,
            'sku' => '10001', 'articleNumber' => '10001', 'articleName' => 'Article 10001',
        ]],
    ] + ($coupon === null ? [] : ['usedPromotions' => [['couponId' => $coupon]]]);
}
