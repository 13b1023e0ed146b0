use strict;
use warnings;
use Mojo::UserAgent;
use Time::HiRes qw(sleep);

my $plain = Mojo::UserAgent->new;

sub by_default {
    my ($call) = @_;
    my $tx = $plain->start($plain->build_tx($call->{method}, $call->{url}, $call->{headers}, $call->{body}));
    die $tx->error->{message}, "\n" if $tx->error;
}

# The recipe
my $client = Mojo::UserAgent->new(request_timeout => 10, max_connections => 0);

sub recipe {
    my ($call) = @_;
    my %headers = (%{ $call->{headers} }, $call->{key} ? ('Idempotency-Key' => $call->{key}) : ());
    for my $attempt (1 .. 4) {
        my ($status, $retry_after) = send_once($call->{method}, $call->{url}, \%headers, $call->{body});
        return $status if $status && $status != 429 && $status < 500;
        my $pause = 0.15 * 2**$attempt;
        sleep($pause > $retry_after ? $pause : $retry_after);
        # A new contact has no key of its own: look whether it was created, before it is sent again.
        if ($call->{look}) {
            my ($found) = send_once('GET', $call->{look}, {}, '');
            return $found if $found != 404;    # it was created, or nobody says: then a person looks
        }
    }
    die "not delivered\n";    # keep the request in a queue on disk, and send it later
}

# The status and Retry-After; 0 without a response, or when it is cut.
sub send_once {
    my $tx = $client->start($client->build_tx(@_));
    my $error = $tx->error;
    my $is_cut = length($tx->res->body) < ($tx->res->headers->content_length // 0);    # nothing else tells
    return (0, 0) if $is_cut || $error && !$error->{code};
    return ($tx->res->code // 0, $tx->res->headers->header('Retry-After') // 0);
}

1;
