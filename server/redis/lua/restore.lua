-- Writes entries that a worker has read and Redis has lost back to the feed, under the ids that they had. The entries come in
-- ascending order; the feed already has those at or below its last id.
-- KEYS   1 feed  2 seen
-- ARGV   for each entry: id, outbox id, transaction id, message id, bytes
-- RESULT number of restored entries
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
