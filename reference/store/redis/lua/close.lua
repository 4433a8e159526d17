-- ARGV: the id of the writer.
if not known() then return {'unknown stream'} end
if redis.call('HEXISTS', meta, 'w:' .. ARGV[2]) == 0 then return {'unknown writer'} end
redis.call('HSET', meta, 'w:' .. ARGV[2], '0')
return {'ok'}
