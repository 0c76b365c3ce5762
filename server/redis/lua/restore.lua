-- Puts back events that workers have read and Redis has lost, under the ids that they had. In ascending order; those at or
-- below the feed's last id are there.
-- KEYS   1 feed  2 seen
-- ARGV   for each event: id, outbox id, transaction id, message id, bytes
-- RESULT how many were put back
local function restore(keys, args)
  local feed, seen = keys[1], keys[2]
  local tail = redis.call('XREVRANGE', feed, '+', '-', 'COUNT', 1)
  local last = tail[1] and tonumber(tail[1][1]:match('^%d+')) or 0
  local count = 0
  for i = 1, #args, 5 do
    local id = tonumber(args[i])
    if id > last then
      redis.call('XADD', feed, args[i] .. '-0',
        'e', args[i + 4], 'o', args[i + 1], 'x', args[i + 2], 'm', args[i + 3], 'p', string.format('%.0f', last))
      if args[i + 1] ~= '' then
        redis.call('ZADD', seen, args[i], args[i + 1])
      end
      last = id
      count = count + 1
    end
  end
  return count
end
