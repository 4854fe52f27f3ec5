-- One worker ticks a pool, and not more often than it makes sense. KEYS: lease, last tick, known mark.
-- ARGV: token, now in microseconds, least microseconds between ticks, milliseconds of the lease.
local lease, last, known = KEYS[1], KEYS[2], KEYS[3]
local now = tonumber(ARGV[2])

if redis.call('EXISTS', lease) == 1 then
  return {'busy'}
end
local before = tonumber(redis.call('GET', last) or '-1')
if before >= 0 and now - before < tonumber(ARGV[3]) then
  return {'too_soon'}
end
redis.call('SET', lease, ARGV[1], 'PX', ARGV[4])
redis.call('SET', last, ARGV[2])
return {redis.call('EXISTS', known) == 1 and 'ok' or 'emptied'}
