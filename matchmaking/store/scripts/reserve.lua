-- All tickets of a proposal are set aside for it, or none.
-- KEYS: pool, held, holder, players, deadlines, contents. ARGV: proposal, deadline in seconds, tickets.
local pool, held, holder, players_key, deadlines, contents = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local proposal, deadline = ARGV[1], ARGV[2]

local payloads, seen, all = {}, {}, ''
for index = 3, #ARGV do
  local ticket = ARGV[index]
  local payload = redis.call('HGET', pool, ticket)
  if not payload then
    return {redis.call('HEXISTS', held, ticket) == 1 and 'reserved' or 'missing', ticket}
  end
  for _, player in ipairs(members_of(payload)) do
    if seen[player] then
      return {'player_twice', ticket}
    end
    seen[player] = true
    if redis.call('HGET', players_key, player) ~= ticket then
      return {'half', ticket}
    end
  end
  payloads[ticket] = payload
  all = all .. ticket
end
if all == '' then
  return {'empty'}
end
for ticket, payload in pairs(payloads) do
  redis.call('HDEL', pool, ticket)
  redis.call('HSET', held, ticket, payload)
  redis.call('HSET', holder, ticket, proposal)
end
redis.call('HSET', contents, proposal, all)
redis.call('ZADD', deadlines, deadline, proposal)
return {'ok'}
