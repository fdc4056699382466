-- Changes the hash KEYS[1] of one secret and returns its content. The nodes decide what belongs there, because only they
-- can open the records. This script only bounds what they read: it removes all that does not have the form of a record
-- before it reads a value. Redis runs one script at a time; there is no other lock.
--
-- ARGV: time until the hash expires in milliseconds; number of records to remove; number of records to put; number of
-- fields after that; then fields and values in turns: of the records to remove, which must still have that value, of
-- those to put, and of a new key, which is added only if no other node has added one meanwhile.
local hash = KEYS[1]
local MAXIMUM_FIELDS = 512
local MAXIMUM_LENGTH = 200

local rejected = 0
local kind = redis.call('TYPE', hash).ok
if kind ~= 'none' and kind ~= 'hash' or kind == 'hash' and redis.call('HLEN', hash) > MAXIMUM_FIELDS then
  redis.call('DEL', hash)
  rejected = 1
end
for _, field in ipairs(redis.call('HKEYS', hash)) do
  if field ~= 'end' and not (#field == 32 and field:match('^%x+$')) or redis.call('HSTRLEN', hash, field) > MAXIMUM_LENGTH
      or not redis.call('HGET', hash, field):match('^[%w+/=]+$') then
    redis.call('HDEL', hash, field)
    rejected = rejected + 1
  end
end

local position = 5
for _ = 1, tonumber(ARGV[2]) do
  if redis.call('HGET', hash, ARGV[position]) == ARGV[position + 1] then
    redis.call('HDEL', hash, ARGV[position])
  end
  position = position + 2
end
for _ = 1, tonumber(ARGV[3]) do
  redis.call('HSET', hash, ARGV[position], ARGV[position + 1])
  position = position + 2
end
if ARGV[position] and redis.call('HLEN', hash) == tonumber(ARGV[4]) then
  redis.call('HSET', hash, ARGV[position], ARGV[position + 1])
end
redis.call('PEXPIRE', hash, ARGV[1])

local time = redis.call('TIME')
local answer = redis.call('HGETALL', hash)
table.insert(answer, 1, string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000)))
table.insert(answer, 2, string.format('%d', rejected))
return table.concat(answer, ' ')
