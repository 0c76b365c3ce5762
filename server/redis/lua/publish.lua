-- Appends events to the feed and gives them their ids: Redis' clock in microseconds, rounded up to a multiple of 16 (the
-- numbers between are for heartbeats), never at or below the last one. An event of width w has the ids id-w+1 .. id.
-- Events whose outbox id is in the feed already keep the id that they have.
-- Each other worker is sent the whole new entries, so it need not read them. A worker that missed one detects that by `previous`.
-- KEYS   1 feed  2 seen  3 run  4 checkpoints (its fields are the workers)
-- ARGV   1 run id  2 highest id that the caller ever saw (ids do not go back when Redis lost its last second)
--        3 the caller  4 what a worker's id is put behind in the name of its channel
--        then for each event: outbox id ('' when it has none), width, transaction id, message id, bytes
-- RESULT {'ok', the feed's last id before, id, ...}, or {'hold', milliseconds}: nothing done, ask again; or {'stranger'}: call run first (this process is another one, or the feed does not know it)
local function publish(keys, args)
  local feed, seen = keys[1], keys[2]
  local time = redis.call('TIME')
  local now = time[1] * 1000000 + time[2]
  local known, till = (redis.call('GET', keys[3]) or ''):match('^(%w+) (%d+)$')
  if process_id() ~= args[1] or known ~= args[1] then
    return { 'stranger' }
  end
  local wait = tonumber(till) - math.floor(now / 1000)
  if wait > 0 then
    return { 'hold', wait }
  end
  local tail = redis.call('XREVRANGE', feed, '+', '-', 'COUNT', 1)
  local previous = tail[1] and tonumber(tail[1][1]:match('^%d+')) or 0
  local last = math.max(previous, tonumber(args[2]))
  local result = { 'ok', previous }
  local has_others = redis.call('HLEN', keys[4]) > 1
  local news = {}
  for i = 5, #args, 5 do
    local outbox = args[i]
    -- I1: an outbox row that is published twice is in the feed once.
    local before = outbox ~= '' and redis.call('ZSCORE', seen, outbox)
    if before then
      result[#result + 1] = tonumber(before)
    else
      -- I1: ids rise, also when Redis has lost its newest entries.
      -- The gap of the last one stays free, and so do the ids that this one needs below its own.
      local id = math.ceil(math.max(now, last + 15 + tonumber(args[i + 1])) / 16) * 16
      redis.call('XADD', feed, string.format('%.0f-0', id),
        'e', args[i + 4], 'o', outbox, 'x', args[i + 2], 'm', args[i + 3], 'p', string.format('%.0f', previous))
      if outbox ~= '' then
        redis.call('ZADD', seen, string.format('%.0f', id), outbox)
      end
      if has_others then
        -- server/realtime/feed/feed.ts reads it: a line of numbers, then so many bytes.
        news[#news + 1] = string.format('%.0f,%s,%s,%s,%.0f,%d\n', id, outbox, args[i + 2], args[i + 3], previous, #args[i + 4])
        news[#news + 1] = args[i + 4]
      end
      previous, last = id, id
      result[#result + 1] = id
    end
  end
  if #news > 0 then
    local message = table.concat(news)
    for _, worker in ipairs(redis.call('HKEYS', keys[4])) do
      if worker ~= args[3] then
        redis.call('PUBLISH', args[4] .. worker, message)
      end
    end
  end
  return result
end
