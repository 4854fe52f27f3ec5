-- A proposal became a match: its tickets leave. KEYS: pool, held, holder, players, deadlines, contents.
-- ARGV: proposal, tickets.
local pool, held, holder, players_key, deadlines, contents = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local proposal = ARGV[1]

for index = 2, #ARGV do
  local keeper = redis.call('HGET', holder, ARGV[index])
  if keeper and keeper ~= proposal then
    return {'reserved', ARGV[index]}
  end
end
for index = 2, #ARGV do
  forget(pool, held, holder, players_key, ARGV[index])
end
redis.call('ZREM', deadlines, proposal)
redis.call('HDEL', contents, proposal)
return {'ok'}
