-- Microseconds since the epoch, never less than any given out before. KEYS: the highest so far.
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local highest = tonumber(redis.call('GET', KEYS[1]) or '0')
if now <= highest then
  return highest
end
redis.call('SET', KEYS[1], string.format('%.0f', now))
return now
