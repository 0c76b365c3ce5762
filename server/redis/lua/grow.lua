-- Appends a piece to a text that grows. The comparison and the append are one step, so two workers cannot append at one position.
-- KEYS   1 hash: facts of the text  2 string: the text
-- ARGV   1 position  2 piece  3 length of the piece  4 greatest length of the text, all in code points  5 now in ms
-- RESULT {'grown', length}, or with nothing appended: {'unknown'}, {'ended', reason}, {'gap', length}, {'long', length},
--        {'known', length, text}: the position is before the end
local function grow(keys, args)
  local facts = redis.call('HMGET', keys[1], 'length', 'ended')
  if not facts[1] then
    return { 'unknown' }
  end
  if facts[2] then
    return { 'ended', facts[2] }
  end
  local length, position, added = tonumber(facts[1]), tonumber(args[1]), tonumber(args[3])
  if position > length then
    return { 'gap', length }
  end
  if position < length then
    return { 'known', length, redis.call('GET', keys[2]) }
  end
  if length + added > tonumber(args[4]) then
    return { 'long', length }
  end
  redis.call('APPEND', keys[2], args[2])
  redis.call('HSET', keys[1], 'length', length + added, 'at', args[5])
  return { 'grown', length + added }
end
