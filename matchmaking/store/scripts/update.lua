-- New ratings for a waiting ticket; its place in line stays. KEYS: pool, held. ARGV: ticket, payload without sequence.
for _, place in ipairs(KEYS) do
  local present = redis.call('HGET', place, ARGV[1])
  if present then
    redis.call('HSET', place, ARGV[1], sequence_of(present) .. ARGV[2])
    return {'ok'}
  end
end
return {'missing', ARGV[1]}
