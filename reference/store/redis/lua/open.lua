-- ARGV: a name for the life of the stream and one for its edition if it is new, and the id of the writer.
if not known() then
  redis.call('DEL', log, notices, steps)
  redis.call('HSET', meta, 'born', ARGV[2], 'edition', ARGV[3])
end
redis.call('HSET', meta, 'w:' .. ARGV[4], '1')
return {'ok'}
