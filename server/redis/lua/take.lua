-- Takes queues over, many at a time: from here on whatever their former owners write is refused. The log of a queue is
-- complete up to its owner's checkpoint, if that owner has written it once itself (settled), through this process of Redis: a
-- replica that was promoted may lack the end of the log. The checkpoints have to be read before this call. They do not speak
-- for the new owner, until it has written the log itself.
-- KEYS   for each queue: meta, log
-- ARGV   1 new owner  2 'reader' or 'adopted'  3 'user' or 'owner': what has to agree  4 how many checkpoints
--        then for each checkpoint: owner, feed id; then for each queue: the value that has to agree
-- RESULT for each queue: nil when there is none such, or
--        {former owner, user, new epoch, feed id up to which its log is complete, acked, issued, facts, log entries}
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
        local piece = found['f' .. j]
        if not piece then
          break
        end
        facts = facts .. piece
      end
      result[i] = { found.owner, found.user, epoch, from, found.acked, found.issued, facts, entries }
    end
  end
  return result
end
