<?php
// Serves the PHP programs of the table: where the service is, whom it knows, and what a shop sends.
const ASTRID = '5a0e7c1e-0001-4000-8000-000000000001';
const JOHAN = '5a0e7c1e-0001-4000-8000-000000000002';
const ELIN = '5a0e7c1e-0001-4000-8000-000000000003';
const RECEIPTS = '/api/v3/receipts';
const BULK = '/api/v3/point-accounts/transactions';

function base(): string
{
    return getenv('LOYALTY_SIM_URL');
}

function receipt(string $contact, string $key, int $total = 249): array
{
    return [
        'contact' => ['matchKey' => $contact, 'matchKeyType' => 'contactId'],
        'uniqueReceiptId' => $key,
        'receiptNumber' => $key,
        'createdDate' => '2026-11-20T10:15:00Z',
        'storeExternalId' => '900',
        'currency' => 'SEK',
        'totalGrossPrice' => $total,
        'paymentMethods' => [['type' => 'CARD', 'value' => $total]],
        'items' => [[
            'type' => 'PURCHASE', 'quantity' => 1, 'grossPaidPrice' => $total, 'taxAmount' => 10, 'taxPercent' => 25,
            'sku' => '1001-M', 'articleNumber' => '1001', 'articleName' => 'T-shirt',
        ]],
    ];
}

function bonus(string $contact, int $amount): array
{
    return [
        'contactId' => $contact, 'definitionId' => 2, 'amount' => $amount, 'timeStamp' => '2026-11-20T10:15:00Z',
        'source' => 'Adjustment', 'description' => 'Style evening',
    ];
}

function failed(int $status): bool
{
    return $status === 0 || $status === 429 || $status >= 500;
}

/** Repeats what failed, with growing pauses. */
function repeat(callable $attempt): int
{
    for ($i = 0; ; $i++) {
        $status = $attempt($i);
        if (!failed($status) || $i === 3) {
            return $status;
        }
        usleep(80_000 * ($i + 1));
    }
}
