-- Reads some events of the feed by their ids: what the logs of queues refer to.
-- KEYS   1 feed
-- ARGV   ids
-- RESULT for each id {stream id, fields}, or nil when the feed has it no more
local function fetch(keys, args)
  local result = {}
  for i, id in ipairs(args) do
    result[i] = redis.call('XRANGE', keys[1], id .. '-0', id .. '-0')[1] or false
  end
  return result
end
