-- Writes a queue that is not there: a new one, or one that Redis has lost and its owner still has whole.
-- KEYS   1 meta  2 log
-- ARGV   1 seconds to live  2 id of the log entry ('': none)  3 its references  4.. meta fields and values
-- RESULT the process that wrote it, named as log_append names it, or nil when the queue is there
local function create(keys, args)
  if redis.call('EXISTS', keys[1]) == 1 then
    return false
  end
  local process = process_id():sub(1, 8)
  redis.call('DEL', keys[2])
  redis.call('HSET', keys[1], 'settled', process, unpack(args, 4))
  redis.call('EXPIRE', keys[1], args[1])
  if args[2] ~= '' then
    redis.call('XADD', keys[2], args[2] .. '-0', 'r', args[3])
    redis.call('EXPIRE', keys[2], args[1])
  end
  return process
end
