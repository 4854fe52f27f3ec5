-- A ticket begins to search. KEYS: pool, held, players, sequence. ARGV: ticket, payload without its sequence.
local pool, held, players_key, sequence = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local ticket, body = ARGV[1], ARGV[2]

if redis.call('HEXISTS', pool, ticket) == 1 or redis.call('HEXISTS', held, ticket) == 1 then
  return {'present'}
end
local players = members_of('........' .. body)
local player, other = taken_by_other(players_key, players, ticket)
if player then
  return {'taken', other}
end
redis.call('HSET', pool, ticket, new_sequence(sequence) .. body)
stand_for(players_key, players, ticket)
return {'ok'}
