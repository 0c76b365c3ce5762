-- Reads the transaction ids of entries of the feed, without the entries themselves.
-- KEYS   1 feed
-- ARGV   entry ids
-- RESULT for each entry the id of its transaction ('': no transaction), or nil if the feed no longer has the entry
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
