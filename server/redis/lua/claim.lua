-- Takes a queue over: from here on whatever its former owner writes is refused. The former owner's checkpoint does not speak
-- for the new one (settled 0) until the new owner has written the log once itself; `upto` says where to start until then.
-- KEYS   1 meta  2 log
-- ARGV   1 epoch that the caller has read  2 new owner  3 upto  4 'reader' or 'adopted'  5 seconds to live
-- RESULT {new epoch, acked, issued, idle, log entries}, or nil when the epoch is another: read the meta again
local function claim(keys, args)
  local meta, log = keys[1], keys[2]
  if redis.call('HGET', meta, 'epoch') ~= args[1] then
    return false
  end
  local epoch = redis.call('HINCRBY', meta, 'epoch', 1)
  redis.call('HSET', meta, 'owner', args[2], 'upto', args[3], 'taken', args[4], 'settled', '0')
  redis.call('EXPIRE', meta, args[5])
  redis.call('EXPIRE', log, args[5])
  local rest = redis.call('HMGET', meta, 'acked', 'issued', 'idle')
  return { epoch, rest[1], rest[2], rest[3], redis.call('XRANGE', log, '-', '+') }
end
