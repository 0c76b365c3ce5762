-- Stores a queue that Redis does not have: a new one, or one that Redis lost and that its owner holds completely in memory.
-- KEYS   1 meta  2 log
-- ARGV   1 seconds to live  2 id of the log entry ('': no entry)  3 the entry's references  4.. fields and values of meta
-- RESULT the first 8 characters of the Redis process id, or nil if the queue exists
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
