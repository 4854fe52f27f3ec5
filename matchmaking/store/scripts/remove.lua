-- A ticket leaves the pool. KEYS: pool, held, holder, players. ARGV: ticket, and the payload it must still have in the
-- pool ('' for whatever it is and wherever it is).
local pool, held, holder, players_key = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local ticket, expected = ARGV[1], ARGV[2]

if expected ~= '' and redis.call('HGET', pool, ticket) ~= expected then
  return {'changed', ticket}
end
if forget(pool, held, holder, players_key, ticket) then
  return {'ok'}
end
return {'missing', ticket}
