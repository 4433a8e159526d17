-- ARGV: a name for the new edition.
if not known() then return {'unknown stream'} end
local chunks, paused = number('count'), number('paused')
redis.call('XTRIM', log, 'MAXLEN', '0') -- it keeps its last id, so that no sequence comes again
redis.call('DEL', steps)
redis.call('HDEL', meta, 'terminal', 'word')
redis.call('HSET', meta, 'edition', ARGV[2], 'size', text(number('initial_size')), 'count', '0', 'paused', '0')
for i = 1, 3 do redis.call('PERSIST', KEYS[i]) end
redis.call('PERSIST', records)
each_record('PERSIST')
if chunks > 0 then notify('t', '0', 'q', text(number('latest'))) end
if paused == 1 then notify('p', 'active') end
changed()
return {'ok'}
