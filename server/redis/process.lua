-- Ahead of all functions of the library: which process answers. Another one than before (a restart, a replica that was
-- promoted) may lack the newest writes. Read once: a new process loads the library again.
local id
local function process_id()
  id = id or redis.call('INFO', 'server'):match('run_id:(%w+)')
  return id
end
