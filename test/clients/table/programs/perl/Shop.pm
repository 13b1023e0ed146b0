package Shop;
# Serves the Perl programs of the table: where the service is, whom it knows, and what a till sends.
use strict;
use warnings;
use Exporter 'import';
use HTTP::Tiny;
use JSON::PP;
use Time::HiRes 'sleep';
our @EXPORT = qw(base call failed receipt bonus repeat $astrid $johan $elin);
our ($astrid, $johan, $elin) = map { sprintf '5a0e7c1e-0001-4000-8000-%012d', $_ } 1 .. 3;
my $http = HTTP::Tiny->new(timeout => 30, agent => 'till.pl/1.0');

sub base { $ENV{LOYALTY_SIM_URL} }

sub call {
    my ($method, $path, $body, %headers) = @_;
    my %options = (headers => { 'content-type' => 'application/json', %headers });
    $options{content} = JSON::PP->new->canonical->encode($body) if defined $body;
    my $response = $http->request($method, base() . $path, \%options);
    # HTTP::Tiny says 599 when no response came.
    return ($response->{status}, $response->{content});
}

sub failed { $_[0] == 429 || $_[0] >= 500 }

sub receipt {
    my ($contact, $key, $total) = @_;
    $total //= 249;
    return {
        contact => { matchKey => $contact, matchKeyType => 'contactId' },
        uniqueReceiptId => $key, receiptNumber => $key, createdDate => '2026-11-20T10:15:00Z',
        storeExternalId => '100', currency => 'SEK', totalGrossPrice => $total,
        paymentMethods => [ { type => 'CARD', value => $total } ],
        items => [ {
            type => 'PURCHASE', quantity => 1, grossPaidPrice => $total, taxAmount => 10, taxPercent => 25,
            sku => '1001-M', articleNumber => '1001', articleName => 'T-shirt',
        } ],
    };
}

sub bonus {
    my ($contact, $amount) = @_;
    return {
        contactId => $contact, definitionId => 2, amount => $amount, timeStamp => '2026-11-20T10:15:00Z',
        source => 'Adjustment', description => 'Style evening',
    };
}

# Repeats what failed, with growing pauses.
sub repeat {
    my ($attempt) = @_;
    for my $i (0 .. 3) {
        my ($status) = $attempt->($i);
        return $status unless failed($status);
        sleep 0.1 * ($i + 1);
    }
    return 0;
}

1;
