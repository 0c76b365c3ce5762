-- Stores the presence report of a user, and reads the presence of users. An update id is the caller's clock in ms, and always above
-- the last one. Because ids follow the clock, clients get new updates also after Redis lost the newest ones.
-- KEYS   1 sorted set: user ids, scored by update id  2 hash: user id to "active,idle" in UNIX seconds (active 0: never active)
-- ARGV   1 user id ('': store nothing)  2 'active' or 'idle'  3 now in ms
--        4 seconds: an earlier repeated report is no update  5 seconds without a report after which a user was offline
--        6 users to read: 'all', 'none', or the update id after which they changed
--        7 for 'all': the earliest time of the last connection in UNIX seconds
-- RESULT {last update id or -1, 'came' if the user was offline, the user's times or '', user id, times, user id, times, ...}
local function presence(keys, args)
  local ids, times = keys[1], keys[2]
  local user, now = args[1], math.floor(tonumber(args[3]) / 1000)
  local tail = redis.call('ZREVRANGE', ids, 0, 0, 'WITHSCORES')
  local last = tail[2] and tonumber(tail[2]) or -1
  local came, own = '', ''
  if user ~= '' then
    local before = redis.call('HGET', times, user)
    local active, idle = (before or '0,0'):match('^(%d+),(%d+)$')
    active, idle = tonumber(active), tonumber(idle)
    local gap = tonumber(args[4])
    local moved = args[2] == 'active' and now - active >= gap
    if moved or now - idle >= gap then
      if now - idle > tonumber(args[5]) then
        came = 'came'
      end
      idle = math.max(idle, now)
      if moved then
        active = now
      end
      last = math.max(last + 1, tonumber(args[3]))
      redis.call('HSET', times, user, active .. ',' .. idle)
      redis.call('ZADD', ids, string.format('%.0f', last), user)
    end
    own = active .. ',' .. idle
  end
  local result = { string.format('%.0f', last), came, own }
  if args[6] == 'none' then
    return result
  end
  -- The id of a user's last update is never below the user's times, so the sorted set skips users with older connections.
  local users = redis.call('ZRANGEBYSCORE', ids, args[6] == 'all' and args[7] .. '000' or '(' .. args[6], '+inf')
  local least = args[6] == 'all' and tonumber(args[7]) or 0
  -- The size of Lua's stack limits the arguments of a command.
  for from = 1, #users, 1000 do
    local chunk = { unpack(users, from, math.min(from + 999, #users)) }
    for i, value in ipairs(redis.call('HMGET', times, unpack(chunk))) do
      if value and tonumber(value:match('%d+$')) >= least then
        result[#result + 1] = chunk[i]
        result[#result + 1] = value
      end
    end
  end
  return result
end
