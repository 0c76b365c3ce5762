-- Reads entries of the feed by their ids, which queue logs contain as references.
-- KEYS   1 feed
-- ARGV   entry ids
-- RESULT for each id {stream id, fields}, or nil if the feed no longer has the entry
local function fetch(keys, args)
  local result = {}
  for i, id in ipairs(args) do
    result[i] = redis.call('XRANGE', keys[1], id .. '-0', id .. '-0')[1] or false
  end
  return result
end
