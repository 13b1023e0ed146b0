use strict;
use warnings;
use HTTP::Tiny;
use Time::HiRes qw(sleep);

my $plain = HTTP::Tiny->new;

sub by_default {
    my ($call) = @_;
    my $response = $plain->request($call->{method}, $call->{url}, { headers => $call->{headers}, content => $call->{body} });
    die "$response->{status} $response->{reason}\n" unless $response->{success};
}

# The recipe
my $client = HTTP::Tiny->new(timeout => 10, keep_alive => 0);

sub recipe {
    my ($call) = @_;
    my %headers = (%{ $call->{headers} }, $call->{key} ? ('Idempotency-Key' => $call->{key}) : ());
    for my $attempt (1 .. 4) {
        my $options = { headers => \%headers, content => $call->{body} };
        my $response = $client->request($call->{method}, $call->{url}, $options);
        # It says 599 when there is no response, or when it is cut.
        return $response if $response->{status} != 429 && $response->{status} < 500;
        my ($pause, $asked) = (0.15 * 2**$attempt, $response->{headers}{'retry-after'} // 0);
        sleep($pause > $asked ? $pause : $asked);
        # A new contact has no key of its own: look whether it was created, before it is sent again.
        if ($call->{look}) {
            my $found = $client->get($call->{look});
            return $found if $found->{status} != 404;    # it was created, or nobody says: then a person looks
        }
    }
    die "not delivered\n";    # keep the request in a queue on disk, and send it later
}

1;
