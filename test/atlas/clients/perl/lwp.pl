use strict;
use warnings;
use HTTP::Request;
use LWP::UserAgent;
use Time::HiRes qw(sleep);

my $plain = LWP::UserAgent->new(keep_alive => 1);

sub by_default {
    my ($call) = @_;
    my $request = HTTP::Request->new($call->{method}, $call->{url}, [%{ $call->{headers} }], $call->{body});
    my $response = $plain->request($request);
    die $response->status_line, "\n" unless $response->is_success;
}

# The recipe
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
    my ($method, $url, $headers, $body) = @_;
    my $client = LWP::UserAgent->new(timeout => 10);
    my $response = $client->request(HTTP::Request->new($method, $url, [%$headers], $body));
    my $is_own = ($response->header('Client-Warning') // '') eq 'Internal response';
    my $is_cut = length($response->content) < ($response->header('Content-Length') // 0);
    return ($is_own || $is_cut || $response->header('Client-Aborted') ? 0 : $response->code, $response->header('Retry-After') // 0);
}

1;
