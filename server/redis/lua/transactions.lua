-- Reads of which transactions some events of the feed are, without the events themselves.
-- KEYS   1 feed
-- ARGV   ids
-- RESULT for each id the transaction's id ('': of none), or nil when the feed has the event no more
local function transactions(keys, args)
  local result = {}
  for i, id in ipairs(args) do
    local entry = redis.call('XRANGE', keys[1], id .. '-0', id .. '-0')[1]
    result[i] = entry and '' or false
    local fields = entry and entry[2] or {}
    for j = 1, #fields, 2 do
      if fields[j] == 'x' then
        result[i] = fields[j + 1]
      end
    end
  end
  return result
end
