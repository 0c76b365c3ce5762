-- Counts an attempt, unless a limit is reached. A limit allows a number of attempts within a window of time.
-- KEYS   1 sorted set: ids of attempts, scored by their time in ms
-- ARGV   1 now in ms  2 unique id of this attempt ('': count nothing)  then for each limit: window in ms, attempts
-- RESULT 0: allowed; otherwise the ms until the next attempt is allowed
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
