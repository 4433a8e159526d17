-- ARGV: the id of the writer, how many bytes the stream may take, and of each chunk its step ('' for none), its JSON and
-- its size. Returns the first sequence.
if not known() then return {'unknown stream'} end
local open = redis.call('HGET', meta, 'w:' .. ARGV[2])
if not open then return {'unknown writer'} end
if open ~= '1' then return {'closed'} end
if finished() then return {'finished'} end
local size = number('size')
for i = 6, #ARGV, 3 do size = size + tonumber(ARGV[i]) end
if size > tonumber(ARGV[3]) then return {'full'} end
local before = number('highest')
local sequence, count = before, number('count')
for i = 4, #ARGV, 3 do
  sequence = sequence + 1
  count = count + 1
  local id = text(sequence) .. '-0'
  if ARGV[i] == '' then
    redis.call('XADD', log, id, 'c', ARGV[i + 1])
  else
    redis.call('XADD', log, id, 'c', ARGV[i + 1], 's', ARGV[i])
    redis.call('ZADD', steps, ARGV[i], id .. ':' .. ARGV[i + 2])
  end
end
if sequence > before then
  redis.call('HSET', meta, 'latest', text(sequence), 'highest', text(sequence), 'count', text(count), 'size', text(size))
  changed()
end
return {'ok', text(before + 1)}
