-- Half entries of a club: players who stand for a ticket that is nowhere. KEYS: players, then pool and held of every
-- queue. ARGV: player and ticket, in turn; only pairs that still stand are looked at. Returns how many were removed.
local removed = 0
for index = 1, #ARGV, 2 do
  local player, ticket = ARGV[index], ARGV[index + 1]
  local found = redis.call('HGET', KEYS[1], player) ~= ticket
  for place = 2, #KEYS do
    found = found or redis.call('HEXISTS', KEYS[place], ticket) == 1
  end
  if not found then
    redis.call('HDEL', KEYS[1], player)
    removed = removed + 1
  end
end
return removed
