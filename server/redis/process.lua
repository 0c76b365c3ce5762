-- The id of this Redis process, for all Functions; the library begins with this file. Another process than before, after a restart or
-- after the promotion of a replica, may lack the newest writes. The id is read once, because a new process loads the library again.
local id
local function process_id()
  id = id or redis.call('INFO', 'server'):match('run_id:(%w+)')
  return id
end
