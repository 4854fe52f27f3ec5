-- Shared by all scripts. A payload is: sequence (8 bytes), join time (8), least end (8), members (2), avoided (2),
-- unused (4), then per member player id (16), rating (8), deviation (8). See store/payload.py.
local HEADER, MEMBER, ID = 32, 32, 16

local function members_of(payload)
  local players = {}
  local count = struct.unpack('<H', string.sub(payload, 25, 26))
  for index = 0, count - 1 do
    local at = HEADER + index * MEMBER + 1
    players[#players + 1] = string.sub(payload, at, at + ID - 1)
  end
  return players
end

local function sequence_of(payload)
  return string.sub(payload, 1, 8)
end

local function new_sequence(key)
  return struct.pack('<I8', redis.call('INCR', key))
end

-- The first player of these who stands for another ticket, with that ticket.
local function taken_by_other(players_key, players, ticket)
  for _, player in ipairs(players) do
    local holder = redis.call('HGET', players_key, player)
    if holder and holder ~= ticket then
      return player, holder
    end
  end
end

local function stand_for(players_key, players, ticket)
  for _, player in ipairs(players) do
    redis.call('HSET', players_key, player, ticket)
  end
end

local function stand_down(players_key, payload, ticket)
  for _, player in ipairs(members_of(payload)) do
    if redis.call('HGET', players_key, player) == ticket then
      redis.call('HDEL', players_key, player)
    end
  end
end

-- Take the ticket out of wherever it is; true when it was anywhere.
local function forget(pool, held, holder, players_key, ticket)
  local payload = redis.call('HGET', pool, ticket) or redis.call('HGET', held, ticket)
  if payload then
    stand_down(players_key, payload, ticket)
  end
  redis.call('HDEL', pool, ticket)
  redis.call('HDEL', held, ticket)
  redis.call('HDEL', holder, ticket)
  return payload and true or false
end
