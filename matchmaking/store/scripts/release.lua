-- A proposal ends without a match: its tickets go back into the pool with their place in line, others leave.
-- KEYS: pool, held, holder, players, deadlines, contents, sequence.
-- ARGV: proposal, number of tickets that go back, then for each its id and its payload without sequence ('' for the
-- one it was reserved with), then the ids of those that leave.
local pool, held, holder, players_key, deadlines, contents = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local sequence = KEYS[7]
local proposal, back = ARGV[1], tonumber(ARGV[2])

local returning = {}
for index = 0, back - 1 do
  local ticket, body = ARGV[3 + 2 * index], ARGV[4 + 2 * index]
  local keeper = redis.call('HGET', holder, ticket)
  if keeper and keeper ~= proposal then
    return {'reserved', ticket}
  end
  local present = redis.call('HGET', held, ticket) or redis.call('HGET', pool, ticket)
  if body == '' and not present then
    return {'missing', ticket}
  end
  local place = present and sequence_of(present) or false
  local players = members_of(body == '' and present or '........' .. body)
  if taken_by_other(players_key, players, ticket) then
    return {'taken', ticket}
  end
  returning[#returning + 1] = {ticket, place, body == '' and string.sub(present, 9) or body, players}
end
for _, entry in ipairs(returning) do
  local ticket, place, body, players = entry[1], entry[2], entry[3], entry[4]
  redis.call('HDEL', held, ticket)
  redis.call('HDEL', holder, ticket)
  redis.call('HSET', pool, ticket, (place or new_sequence(sequence)) .. body)
  stand_for(players_key, players, ticket)
end
for index = 3 + 2 * back, #ARGV do
  forget(pool, held, holder, players_key, ARGV[index])
end
redis.call('ZREM', deadlines, proposal)
redis.call('HDEL', contents, proposal)
return {'ok'}
