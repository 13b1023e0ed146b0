# Sells by HTTP::Tiny, which keeps one connection.
use strict;
use warnings;
use Shop;
use Time::HiRes 'sleep';

my $way = shift;
my ($receipts, $coupon) = ('/api/v3/receipts', '9b1d0c00-aaaa-4000-8000-000000000001');
my $redeem = sub { call('POST', "/api/v3/promotions/codes/$coupon/redeem", { redemptionChannel => 'POS' }) };

if ($way eq 'right') {
    my $i = 0;
    for my $contact ($astrid, $johan, $elin) {
        $i++;
        my $body = receipt($contact, "perl-$i");
        repeat(sub { call('POST', $receipts, $body) });
    }
} elsif ($way eq 'time-in-key') {
    repeat(sub { call('POST', $receipts, receipt($astrid, 'perl-' . time() . "-$_[0]")) });
} elsif ($way eq 'coupon') {
    repeat($redeem);
    call('GET', "/api/v3/promotion-assignments?contactId=$johan");
} elsif ($way eq 'coupon-drops') {
    $redeem->();
    call('GET', "/api/v3/promotion-assignments?contactId=$johan");
    call('POST', $receipts, receipt($johan, 'perl-1'));
} elsif ($way eq 'receipt-looks') {
    my $body = receipt($astrid, 'perl-look');
    my ($status) = call('POST', $receipts, $body);
    if (failed($status)) {
        sleep 0.1;
        my (undef, $text) = call('GET', "/api/v3/transactions?contactId=$astrid&count=5");
        repeat(sub { call('POST', $receipts, $body) }) unless $text =~ /perl-look/;
    }
} elsif ($way eq 'receipt-looks-elsewhere') {
    my $body = receipt($astrid, 'perl-look');
    my ($status) = call('POST', $receipts, $body);
    call('GET', "/api/v3/transactions?contactId=$elin&count=5") if failed($status);
}
