-- Ends the growth of a text: no piece is appended any more. The first reason stays.
-- KEYS   1 hash: facts of the text  2 string: the text
-- ARGV   1 reason
-- RESULT {}: Redis does not know the text, or {reason, text or nil: it was removed after the end}
local function end_growth(keys, args)
  if redis.call('HEXISTS', keys[1], 'length') == 0 then
    return {}
  end
  redis.call('HSETNX', keys[1], 'ended', args[1])
  return { redis.call('HGET', keys[1], 'ended'), redis.call('GET', keys[2]) }
end
