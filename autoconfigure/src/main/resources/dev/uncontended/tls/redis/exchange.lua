-- What all nodes do with the hash KEYS[1] of one secret: they drop what no node may use any more, add a key if
-- none is waiting for its activation, and read what there is. Redis's clock decides; its order of scripts is the
-- only lock. Fields: "generation" = "generation:id of the end that began it", and for each key "id" =
-- "generation:activation:wrapped key".
--
-- Ending all sessions starts a new generation, once however often it is told. Each node brings the latest that it
-- knows, so an end outlives the loss of what Redis held. Times are milliseconds, activations since 1970.
local known = tonumber(ARGV[1]) -- latest generation that the node knows
local ending = ARGV[2] -- id of an end of all sessions; empty for none
local interval = tonumber(ARGV[3]) -- time for which a key encrypts
local lifetime = tonumber(ARGV[4]) -- time for which it decrypts after that
local lead = tonumber(ARGV[5]) -- time within which every node reads the hash
local delay = tonumber(ARGV[6]) -- time until a key is activated that all have to wait for
local candidate = ARGV[7] -- id of a key to add; empty for none
local wrapped = ARGV[8] -- that key

local function number(text)
  return text and #text <= 15 and tonumber(text)
end

local function text(number)
  return string.format('%.0f', number)
end

if redis.call('TYPE', KEYS[1]).ok ~= 'hash' then
  redis.call('DEL', KEYS[1])
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local generation, ended = (redis.call('HGET', KEYS[1], 'generation') or ''):match('^(%d+):(%x*)$')
generation = math.max(number(generation) or 0, known)
if ending ~= '' and ending ~= ended then
  generation = generation + 1
  ended = ending
end
if generation > known then
  -- The node's keys have been ended, so there is nothing to go on with until the next.
  delay = 0
end

local entries = redis.call('HGETALL', KEYS[1])
local oldest = math.huge
local newest = 0
local answer = {}
for i = 1, #entries, 2 do
  local id = entries[i]
  if id ~= 'generation' then
    local created, activation, key = entries[i + 1]:match('^(%d+):(%d+):([%w+/=]+)$')
    created = number(created)
    activation = number(activation)
    if id:match('^%x+$') and created == generation and activation and activation <= now + math.max(interval, lead)
        and activation + interval + lifetime > now then
      oldest = math.min(oldest, activation)
      newest = math.max(newest, activation)
      table.insert(answer, id .. ' ' .. text(activation) .. ' ' .. key)
    else
      redis.call('HDEL', KEYS[1], id)
    end
  end
end

-- No key encrypts, and none will soon, if there is none or if the clock has gone back.
local none = oldest > now + lead
if candidate ~= '' and (none or newest <= now) then
  local activation = none and now + delay or math.max(newest + interval, now + lead)
  redis.call('HSET', KEYS[1], candidate, text(generation) .. ':' .. text(activation) .. ':' .. wrapped)
  table.insert(answer, candidate .. ' ' .. text(activation) .. ' ' .. wrapped)
end
if generation > 0 then
  redis.call('HSET', KEYS[1], 'generation', text(generation) .. ':' .. (ended or ''))
end
redis.call('PEXPIRE', KEYS[1], text(2 * interval + lead + lifetime))
table.insert(answer, 1, text(now) .. ' ' .. text(generation))
return table.concat(answer, '\n')
