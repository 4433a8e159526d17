-- What every script begins with. KEYS are the log, the notices, the description and the steps of one stream, the
-- list of changes, and the set of the keys of the stream's records. ARGV[1] is the name of the stream.
--
-- The log is a Redis stream; the id of a chunk and of a terminal event is its sequence and 0. The notices are one too;
-- the id of a notice is the latest sequence when it was sent and a number above 0, so that the ids of both together are
-- the order in which an attached reader gets them. The steps are a sorted set that finds the chunks above a step; its
-- members are "id:size".
-- The last ARGV is the writer in whose name the call is made, '' for nobody's.
local by = table.remove(ARGV)
local log, notices, meta, steps, changes, records, name = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], ARGV[1]

-- text keeps large numbers from becoming floats.
local function text(n) return string.format('%.0f', n) end

local function number(field) return tonumber(redis.call('HGET', meta, field) or '0') end

local function known() return redis.call('EXISTS', meta) == 1 end

local function finished() return number('terminal') > 0 end

-- each_record runs a command on every record of the stream.
local function each_record(command, ...)
  for _, record in ipairs(redis.call('SMEMBERS', records)) do redis.call(command, record, ...) end
end

-- changed tells the processes that wait.
local function changed()
  redis.call('XADD', changes, 'MAXLEN', '~', '10000', '*', 's', name)
end

-- notify sends a notice to the readers that are attached now. The last 1024 are kept: a reader that has missed one sees
-- it by the gap in their numbers.
local function notify(...)
  local n = redis.call('HINCRBY', meta, 'notices', 1)
  redis.call('XADD', notices, 'MAXLEN', '1024', text(number('latest')) .. '-' .. text(n), 'n', text(n), ...)
end

local function describe()
  local d = redis.call('HMGET', meta, 'born', 'edition', 'latest', 'count', 'terminal', 'word', 'paused', 'notices')
  for i = 1, 8 do d[i] = d[i] or '' end
  return d
end

-- Whoever was closed by another process changes nothing any more.
if by ~= '' and redis.call('HGET', meta, 'w:' .. by) == '0' then return {'closed'} end

