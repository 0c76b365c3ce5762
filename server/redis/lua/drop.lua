-- Deletes a queue.
-- KEYS   1 meta  2 log
-- ARGV   1 'user' or 'epoch': the field that has to match  2 its value
-- RESULT the owner, or nil if no queue matches
local function drop(keys, args)
  local found = redis.call('HMGET', keys[1], args[1], 'owner')
  if found[1] ~= args[2] then
    return false
  end
  redis.call('DEL', keys[1], keys[2])
  return found[2]
end
