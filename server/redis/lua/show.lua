-- Decides whether a text that grows is shown whole now, to readers who get no pieces: once in a while, for all workers together.
-- KEYS   1 hash: facts of the text  2 string: the text
-- ARGV   1 now in ms  2 ms between two times
-- RESULT {'show', text}, {'wait', ms}, or {'same'}: it has not grown since the last time, or grows no longer
local function show(keys, args)
  local facts = redis.call('HMGET', keys[1], 'length', 'ended', 'shown', 'shown_at')
  if not facts[1] or facts[2] or facts[1] == facts[3] then
    return { 'same' }
  end
  local wait = tonumber(facts[4]) + tonumber(args[2]) - tonumber(args[1])
  if wait > 0 then
    return { 'wait', wait }
  end
  redis.call('HSET', keys[1], 'shown', facts[1], 'shown_at', args[1])
  return { 'show', redis.call('GET', keys[2]) }
end
