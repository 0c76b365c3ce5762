-- Counts an attempt, unless there were as many lately as there may be. Without a name it only looks.
-- KEYS   1 sorted set: attempts by when they were made, milliseconds
-- ARGV   1 now, milliseconds  2 a name for this attempt  3 window, milliseconds  4 how many within it  and so on in pairs
-- RESULT 0 when it was counted; otherwise milliseconds until one may be made
local function attempt(keys, args)
  local made, now = keys[1], tonumber(args[1])
  local wait, longest = 0, 0
  for i = 3, #args, 2 do
    local window, most = tonumber(args[i]), tonumber(args[i + 1])
    longest = math.max(longest, window)
    local oldest = redis.call('ZREVRANGE', made, most - 1, most - 1, 'WITHSCORES')[2]
    if oldest then
      wait = math.max(wait, tonumber(oldest) + window - now)
    end
  end
  if wait > 0 or args[2] == '' then
    return wait
  end
  redis.call('ZREMRANGEBYSCORE', made, '-inf', now - longest)
  redis.call('ZADD', made, now, args[2])
  redis.call('PEXPIRE', made, longest)
  return 0
end
