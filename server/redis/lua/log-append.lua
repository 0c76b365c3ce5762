-- Writes on the logs of queues of one worker, many at a time, and renews their time to live. A queue that was taken over
-- meanwhile (its epoch rose) is left alone and its former owner is told.
-- KEYS   for each queue: meta, log
-- ARGV   for each queue: epoch, seconds to live, id of the new entry ('': none), its references,
--        feed id up to which the log is complete then, highest acknowledged id, highest issued id,
--        time since when nobody reads it ('': somebody does)
-- RESULT for each queue: 1 done, 0 the queue is gone, -1 a reader took it over, -2 it was adopted
local function log_append(keys, args)
  local result = {}
  for i = 1, #keys / 2 do
    local meta, log = keys[2 * i - 1], keys[2 * i]
    local a = 8 * (i - 1)
    local found = redis.call('HMGET', meta, 'epoch', 'taken')
    if not found[1] then
      result[i] = 0
    elseif found[1] ~= args[a + 1] then
      result[i] = found[2] == 'adopted' and -2 or -1
    else
      if args[a + 3] ~= '' then
        -- An entry at or below the log's last id is in it: an append whose answer was lost, or the former owner's.
        local reply = redis.pcall('XADD', log, args[a + 3] .. '-0', 'r', args[a + 4])
        if type(reply) == 'table' and reply.err and not reply.err:find('equal or smaller', 1, true) then
          return reply
        end
      end
      redis.call('XTRIM', log, 'MINID', string.format('%.0f', tonumber(args[a + 6]) + 1))
      redis.call('HSET', meta, 'upto', args[a + 5], 'acked', args[a + 6], 'issued', args[a + 7],
        'idle', args[a + 8], 'settled', '1')
      redis.call('EXPIRE', meta, args[a + 2])
      redis.call('EXPIRE', log, args[a + 2])
      result[i] = 1
    end
  end
  return result
end
