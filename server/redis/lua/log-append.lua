-- Appends to the logs of many queues of one worker, and renews their time to live. A queue that was taken over meanwhile (its
-- epoch rose) is not changed, and the caller learns of it. Redis has an epoch below the caller's if it lost its newest writes: the
-- caller is the owner, and its epoch is written again. `settled` names the Redis process that wrote the log last (after a '-': the
-- one in which it was taken over). Another process may lack the end of what the caller wrote, so the caller first has to write
-- again everything after the last safe id.
-- KEYS   for each queue: meta, log
-- ARGV   1 worker  then for each queue: epoch, seconds to live, id of the new entry ('': none), its references,
--        feed id up to which the log is complete then, highest acknowledged id, highest issued id,
--        '1' if the row repeats everything that Redis may have lost
-- RESULT {process, and for each queue: 1 done, 0 the queue does not exist, -1 taken over for a consumer, -2 adopted,
--        -3 not written: the log may lack its newest references}
local function log_append(keys, args)
  local worker, process = args[1], process_id():sub(1, 8)
  local result = { process }
  for i = 1, #keys / 2 do
    local meta, log = keys[2 * i - 1], keys[2 * i]
    local a = 8 * (i - 1) + 1
    local found = redis.call('HMGET', meta, 'epoch', 'owner', 'taken', 'settled')
    local epoch, own = tonumber(found[1] or '0'), tonumber(args[a + 1])
    if epoch == 0 then
      result[i + 1] = 0
    -- I1: a former owner writes nothing.
    elseif epoch > own or (epoch == own and found[2] ~= worker) then
      result[i + 1] = found[3] == 'adopted' and -2 or -1
    elseif args[a + 8] == '' and (epoch < own or (found[4] ~= process and found[4] ~= '-' .. process)) then
      result[i + 1] = -3
    else
      if epoch < own then
        redis.call('HSET', meta, 'epoch', args[a + 1], 'owner', worker)
      end
      if args[a + 3] ~= '' then
        -- An entry at or below the log's last id is in it: an append whose answer was lost, or the former owner's.
        local reply = redis.pcall('XADD', log, args[a + 3] .. '-0', 'r', args[a + 4])
        if type(reply) == 'table' and reply.err and not reply.err:find('equal or smaller', 1, true) then
          return reply
        end
      end
      redis.call('XTRIM', log, 'MINID', string.format('%.0f', tonumber(args[a + 6]) + 1))
      redis.call('HSET', meta, 'upto', args[a + 5], 'acked', args[a + 6], 'issued', args[a + 7],
        'settled', process)
      redis.call('EXPIRE', meta, args[a + 2])
      -- A stream without entries takes as much as a queue.
      if redis.call('XLEN', log) == 0 then
        redis.call('DEL', log)
      else
        redis.call('EXPIRE', log, args[a + 2])
      end
      result[i + 1] = 1
    end
  end
  return result
end
