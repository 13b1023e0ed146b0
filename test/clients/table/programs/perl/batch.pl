# Works off a day by forked children, one for each store.
use strict;
use warnings;
use Shop;

my $way = shift;
my @children;
my $store = 0;
for my $contact ($astrid, $johan, $elin) {
    $store++;
    my $pid = fork;
    if ($pid == 0) {
        for my $number (1, 2) {
            my $body = receipt($contact, "store-$store-$number", 100 + $number);
            if ($way eq 'right') { repeat(sub { call('POST', '/api/v3/receipts', $body) }) }
            else { call('POST', '/api/v3/receipts', $body) }
        }
        exit 0;
    }
    push @children, $pid;
}
waitpid $_, 0 for @children;
