-- Takes many queues over: from now on Redis rejects the writes of their former owners. A queue's log is complete up to its former
-- owner's checkpoint if that owner wrote the log at least once through this Redis process (field `settled`); another process, such as a
-- promoted replica, may lack the end of the log. The caller has read the checkpoints before this call. The new owner's checkpoint does
-- not cover the queue until the new owner has written the log.
-- KEYS   for each queue: meta, log
-- ARGV   1 new owner  2 reason: 'consumer' or 'adopted'  3 field of meta that has to match: 'user' or 'owner'  4 number of checkpoints
--        then for each checkpoint: owner, entry id; then for each queue: the expected value of the field
-- RESULT for each queue: nil if it does not exist or does not match, or
--        {former owner, user, new epoch, entry id up to which its log is complete, acked, issued, facts, log entries}
local function take(keys, args)
  local process = process_id():sub(1, 8)
  local checkpoints, last = {}, 4 + 2 * tonumber(args[4])
  for i = 5, last, 2 do
    checkpoints[args[i]] = args[i + 1]
  end
  local result = {}
  for i = 1, #keys / 2 do
    local meta, log = keys[2 * i - 1], keys[2 * i]
    local flat, found = redis.call('HGETALL', meta), {}
    for j = 1, #flat, 2 do
      found[flat[j]] = flat[j + 1]
    end
    -- I2: a queue is taken over for its own user only.
    if not found.epoch or found[args[3]] ~= args[last + i] then
      result[i] = false
    else
      local from = found.upto
      local checkpoint = found.settled == process and checkpoints[found.owner]
      if checkpoint and tonumber(checkpoint) > tonumber(from) then
        from = checkpoint
      end
      local epoch = tonumber(found.epoch) + 1
      redis.call('HSET', meta, 'epoch', epoch, 'owner', args[1], 'upto', from, 'taken', args[2],
        'settled', '-' .. process)
      local entries = redis.call('XRANGE', log, '-', '+')
      if found.ttl then
        redis.call('EXPIRE', meta, found.ttl)
        if #entries > 0 then
          redis.call('EXPIRE', log, found.ttl)
        end
      end
      local facts = found.f0
      for j = 1, 128 do
        local field = found['f' .. j]
        if not field then
          break
        end
        facts = facts .. field
      end
      result[i] = { found.owner, found.user, epoch, from, found.acked, found.issued, facts, entries }
    end
  end
  return result
end
