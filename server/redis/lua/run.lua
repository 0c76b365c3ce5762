-- Which run of Redis is this, and does the feed know it? A run that is new may have lost the feed's last second: the first
-- worker that finds this out holds back all publishing for a moment, in which every worker puts back (restore) what it has
-- read and Redis has lost. A new event in between would take a higher id, and the lost ones could not go in before it.
-- KEYS   1 run
-- ARGV   1 milliseconds to hold back when the run is not known
-- RESULT {run id, 1 when the feed knew the run, milliseconds still to hold back}
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
