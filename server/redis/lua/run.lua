-- Detects whether the present run (process) of Redis is the one in which the feed is known to be complete. A new run may have lost
-- the feed's last second. The first worker that calls this in a new run holds back all publishing for a moment, in which every worker
-- restores the entries that it has read and Redis has lost. An event published meanwhile would take a higher id, and a stream accepts
-- no entries below its last id.
-- KEYS   1 run
-- ARGV   1 ms to hold back publishing in a new run
-- RESULT {run id, 1 if the run was known or 0, remaining ms to hold back publishing}
local function run(keys, args)
  local id = process_id()
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local known, till = (redis.call('GET', keys[1]) or ''):match('^(%w+) (%d+)$')
  if known == id then
    return { id, 1, math.max(0, tonumber(till) - now) }
  end
  redis.call('SET', keys[1], string.format('%s %.0f', id, now + tonumber(args[1])))
  return { id, 0, tonumber(args[1]) }
end
