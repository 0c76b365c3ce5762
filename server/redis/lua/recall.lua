-- Asks every other worker to give up its directory lease, before a transaction that changes the directory commits
-- (server/realtime/ownership/directory-recall.ts).
-- KEYS   1 run  2 checkpoints, whose fields are the ids of the workers
-- ARGV   1 worker id of the caller  2 prefix of the Pub/Sub channels of workers  3 message
-- RESULT number of workers that were asked, or
--        -1: workers may be missing in the list, because this Redis process is new; none was asked
local function recall(keys, args)
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local known, till = (redis.call('GET', keys[1]) or ''):match('^(%w+) (%d+)$')
  if known ~= process_id() or tonumber(till) > now then
    return -1
  end
  local asked = 0
  for _, worker in ipairs(redis.call('HKEYS', keys[2])) do
    if worker ~= args[1] then
      redis.call('PUBLISH', args[2] .. worker, args[3])
      asked = asked + 1
    end
  end
  return asked
end
