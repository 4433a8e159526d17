-- ARGV: a name for the life of the stream if it is new, one for its edition, how many bytes the stream may take, the
-- state and its size.
if finished() then return {'finished'} end
if number('count') > 0 then return {'started'} end
local size = number('size') - number('initial_size') + tonumber(ARGV[6])
if size > tonumber(ARGV[4]) then return {'full'} end
if not known() then
  redis.call('DEL', log, notices, steps)
  redis.call('HSET', meta, 'born', ARGV[2])
end
redis.call('HSET', meta, 'edition', ARGV[3], 'initial', ARGV[5], 'initial_size', ARGV[6], 'size', text(size))
return {'ok'}
