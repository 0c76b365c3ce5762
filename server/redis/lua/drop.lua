-- Deletes a queue.
-- KEYS   1 meta  2 log
-- ARGV   1 field of meta that has to match: 'user' or 'epoch'  2 its expected value
-- RESULT the owner, or nil if the queue does not exist or does not match
local function drop(keys, args)
  local found = redis.call('HMGET', keys[1], args[1], 'owner')
  if found[1] ~= args[2] then
    return false
  end
  redis.call('DEL', keys[1], keys[2])
  return found[2]
end
