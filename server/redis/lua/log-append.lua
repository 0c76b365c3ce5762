-- Appends to the logs of many queues of one worker, and renews their time to live. It does not change a queue that another worker
-- took over, which a higher epoch shows. An epoch below the caller's shows that Redis lost its newest writes; the caller is the
-- owner, so its epoch is written again. The field `settled` of meta names the Redis process that last wrote the log, or, after a '-',
-- the process in which the queue was taken over. If another process runs now, the end of the log may be lost, so the caller has to
-- write again everything after the last safe id.
-- KEYS   for each queue: meta, log
-- ARGV   1 worker id  then for each queue: epoch, seconds to live, id of the new log entry ('': no entry), its references,
--        entry id up to which the log is then complete, highest acknowledged id, highest issued id,
--        '1' if the call repeats everything that Redis may have lost
-- RESULT {first 8 characters of the Redis process id, then for each queue: 1 written, 0 the queue does not exist, -1 taken over for
--        a consumer, -2 adopted, -3 not written because the log may lack its newest references}
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
        -- The log already has an entry at or below its last id: its append had no answer, or the former owner wrote it.
        local reply = redis.pcall('XADD', log, args[a + 3] .. '-0', 'r', args[a + 4])
        if type(reply) == 'table' and reply.err and not reply.err:find('equal or smaller', 1, true) then
          return reply
        end
      end
      redis.call('XTRIM', log, 'MINID', string.format('%.0f', tonumber(args[a + 6]) + 1))
      redis.call('HSET', meta, 'upto', args[a + 5], 'acked', args[a + 6], 'issued', args[a + 7],
        'settled', process)
      redis.call('EXPIRE', meta, args[a + 2])
      -- An empty stream takes as much memory as the meta of a queue.
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
