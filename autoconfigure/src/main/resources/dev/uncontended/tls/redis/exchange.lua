-- Changes the hash KEYS[1] of one secret and returns its content. Nodes decide which records belong in the hash, because
-- only they can open them. The script limits what nodes read: it removes everything without the form of a record, and
-- checks the length of each value before it reads the value. Redis runs one script at a time; there is no other lock.
--
-- ARGV: milliseconds until the hash expires; number of records to remove; number of records to put; resulting number of
-- fields; then alternating fields and values of the records to remove, if unchanged, of those to put, and of a new key,
-- which is added unless another node has added one.
local hash = KEYS[1]
local MAXIMUM_FIELDS = 512
local MAXIMUM_LENGTH = 200

local rejected = 0
local kind = redis.call('TYPE', hash).ok
if kind ~= 'none' and kind ~= 'hash' or kind == 'hash' and redis.call('HLEN', hash) > MAXIMUM_FIELDS then
  rejected = kind == 'hash' and redis.call('HLEN', hash) or 1
  redis.call('DEL', hash)
end
-- A Redis without free memory refuses a script's first write if it may need memory. Without this write, the refusal would
-- be noticed at the next rotation.
local refused = type(redis.pcall('HSET', hash, 'probe', '')) == 'table'
redis.call('HDEL', hash, 'probe')
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
for _ = 1, refused and 0 or tonumber(ARGV[3]) do
  redis.call('HSET', hash, ARGV[position], ARGV[position + 1])
  position = position + 2
end
if not refused and ARGV[position] and redis.call('HLEN', hash) == tonumber(ARGV[4]) then
  redis.call('HSET', hash, ARGV[position], ARGV[position + 1])
end
redis.call('PEXPIRE', hash, ARGV[1])

local time = redis.call('TIME')
local answer = redis.call('HGETALL', hash)
table.insert(answer, 1, string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000)))
table.insert(answer, 2, string.format('%d', rejected))
table.insert(answer, 3, refused and '1' or '0')
return table.concat(answer, ' ')
