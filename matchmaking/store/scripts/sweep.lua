-- Reservations past their deadline: whoever made them is gone, their tickets search again where they stood in line.
-- KEYS: pool, held, holder, deadlines, contents. ARGV: now in seconds. Returns the tickets that came back.
local pool, held, holder, deadlines, contents = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]

local returned = {}
for _, proposal in ipairs(redis.call('ZRANGEBYSCORE', deadlines, '-inf', ARGV[1])) do
  local all = redis.call('HGET', contents, proposal) or ''
  for at = 1, #all, ID do
    local ticket = string.sub(all, at, at + ID - 1)
    local payload = redis.call('HGET', held, ticket)
    if payload and redis.call('HGET', holder, ticket) == proposal then
      redis.call('HDEL', held, ticket)
      redis.call('HDEL', holder, ticket)
      redis.call('HSET', pool, ticket, payload)
      returned[#returned + 1] = ticket
    end
  end
  redis.call('ZREM', deadlines, proposal)
  redis.call('HDEL', contents, proposal)
end
-- A ticket whose proposal is not on the list of deadlines at all has nobody to return it either.
local holders = redis.call('HGETALL', holder)
for index = 1, #holders, 2 do
  local ticket, proposal = holders[index], holders[index + 1]
  if not redis.call('ZSCORE', deadlines, proposal) then
    local payload = redis.call('HGET', held, ticket)
    if payload then
      redis.call('HSET', pool, ticket, payload)
      redis.call('HDEL', held, ticket)
      returned[#returned + 1] = ticket
    end
    redis.call('HDEL', holder, ticket)
  end
end
return returned
