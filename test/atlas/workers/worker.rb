# Sends the requests that it is told of, one after the other: ruby worker.rb <file> byDefault|recipe.
Call = Struct.new(:name, :method, :url, :body, :key, :look) do
  def headers
    body.empty? ? {} : { 'Content-Type' => 'application/json' }
  end
end

require ARGV[0]
$stdout.sync = true

$stdin.each_line do |line|
  call = Call.new(*line.chomp.split("\t", -1))
  begin
    ARGV[1] == 'recipe' ? recipe(call) : by_default(call)
    puts 'done'
  rescue StandardError => error
    puts "failed: #{error.class}: #{error.message.lines.first&.chomp}"
  end
end
