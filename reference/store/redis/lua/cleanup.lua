-- ARGV: the step and a name for the new edition.
if not known() then return {'unknown stream'} end
local above = '(' .. ARGV[2]
local members = redis.call('ZRANGEBYSCORE', steps, above, '+inf')
local size, ids = number('size'), {}
for i, member in ipairs(members) do
  local id, bytes = string.match(member, '^(.*):(%d+)$')
  ids[i] = id
  size = size - tonumber(bytes)
end
-- A call takes so many arguments and no more.
for i = 1, #ids, 1000 do
  redis.call('XDEL', log, unpack(ids, i, math.min(i + 999, #ids)))
end
redis.call('ZREMRANGEBYSCORE', steps, above, '+inf')
redis.call('HSET', meta, 'edition', ARGV[3], 'size', text(size), 'count', text(number('count') - #ids))
if #ids > 0 then
  notify('t', ARGV[2], 'q', text(number('latest')))
  changed()
end
return {'ok'}
