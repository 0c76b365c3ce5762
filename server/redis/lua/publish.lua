-- Appends events to the feed and assigns their ids: the clock of Redis in microseconds, rounded up to a multiple of 16, and always
-- above the last id; heartbeats use the numbers between. An event of width w occupies the ids id-w+1 to id. If the outbox id of an
-- event is already in the feed, the event keeps its id and is not appended again.
-- Every other worker receives the new entries whole by Pub/Sub, so it does not read them from the stream. An entry names the one
-- before it (`previous`), by which a worker detects that it missed one.
-- KEYS   1 feed  2 seen  3 run  4 checkpoints, whose fields are the ids of the workers
-- ARGV   1 run id  2 highest id that the caller has seen, so that ids rise also after Redis lost its last second
--        3 worker id of the caller  4 prefix of the Pub/Sub channels of workers
--        then for each event: outbox id ('': no row), width, transaction id, message id, bytes
-- RESULT {'ok', the feed's last id before this call, id of each event}, or
--        {'hold', ms}: nothing was published; the caller retries after this time, or
--        {'stranger'}: nothing was published, because the feed does not know this Redis process; the caller calls `run` first
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
  local notice = {}
  for i = 5, #args, 5 do
    local outbox = args[i]
    -- I1: an outbox row that is published twice is in the feed once.
    local before = outbox ~= '' and redis.call('ZSCORE', seen, outbox)
    if before then
      result[#result + 1] = tonumber(before)
    else
      -- I1: ids rise, also when Redis has lost its newest entries.
      -- The 15 numbers above the last id stay free for heartbeats, and below the new id there is room for the event's width.
      local id = math.ceil(math.max(now, last + 15 + tonumber(args[i + 1])) / 16) * 16
      redis.call('XADD', feed, string.format('%.0f-0', id),
        'e', args[i + 4], 'o', outbox, 'x', args[i + 2], 'm', args[i + 3], 'p', string.format('%.0f', previous))
      if outbox ~= '' then
        redis.call('ZADD', seen, string.format('%.0f', id), outbox)
      end
      if has_others then
        -- server/realtime/feed/feed.ts parses this: a line of numbers, the last of which is the number of bytes that follow.
        notice[#notice + 1] = string.format('%.0f,%s,%s,%s,%.0f,%d\n', id, outbox, args[i + 2], args[i + 3], previous, #args[i + 4])
        notice[#notice + 1] = args[i + 4]
      end
      previous, last = id, id
      result[#result + 1] = id
    end
  end
  if #notice > 0 then
    local message = table.concat(notice)
    for _, worker in ipairs(redis.call('HKEYS', keys[4])) do
      if worker ~= args[3] then
        redis.call('PUBLISH', args[4] .. worker, message)
      end
    end
  end
  return result
end
