# Sends the requests that it is told of, one after the other: perl worker.pl <file> byDefault|recipe.
use strict;
use warnings;

$| = 1;
my ($file, $mode) = @ARGV;
require $file;

while (my $line = <STDIN>) {
    chomp $line;
    my %call;
    @call{qw(name method url body key look)} = split /\t/, $line, -1;
    $call{headers} = $call{body} eq '' ? {} : { 'content-type' => 'application/json' };
    my $done = eval { $mode eq 'recipe' ? recipe(\%call) : by_default(\%call); 1 };
    my ($why) = $done ? () : split /\n/, "$@";
    print $done ? "done\n" : "failed: $why\n";
}
